// Searches a repository for what can become tools: API documents, functions, programs and MCP servers. No code of it is run.
import { extname, join } from 'node:path';
import { isObject } from '../../../core/schema.ts';
import { readInside } from '../../../files/inside.ts';
import { walkTree } from '../../../files/tree.ts';
import { detectDocument } from '../convert/detect.ts';
import { isSdl } from '../graphql/sdl.ts';
import { parseDocument } from '../openapi/document.ts';
import type { FunctionTool } from './code-tool.ts';
import { canHaveFunctions, listFunctions } from './scan-functions.ts';

export interface RepositoryContent {
  /** Paths from the root. */
  documents: { path: string; format: string }[];
  functions: FunctionTool[];
  /** Files that a person can add as programs. */
  programs: string[];
  /** Commands that start a server. */
  servers: string[][];
}

const skipped =
  /^(?:node_modules|vendor|tests?|__tests__|specs?|fixtures?|testdata|dist|build|\..*|__pycache__|venv|site-packages)$/i;
const mostFiles = 20_000;
const most = { documents: 20, functions: 300, programs: 50, documentBytes: 20_000_000, codeBytes: 500_000 };
const documentEnding = /^\.(?:json|ya?ml|graphqls?|gql|har)$/i;
const sign = /["']?(?:openapi|swagger|discoveryVersion|__schema|_postman_id|info)["']?\s*:|"log"\s*:/;
const usesCommandLine = /\b(?:argparse|import click|from click|typer|require\(['"]commander|from ['"]commander)\b/;
const isServer = /\bFastMCP\(|@modelcontextprotocol\/sdk\/server|@modelcontextprotocol\/server/;

/** `folder` is a real path. */
export async function scanRepository(folder: string, signal?: AbortSignal): Promise<RepositoryContent> {
  const content: RepositoryContent = { documents: [], functions: [], programs: [], servers: [] };
  const leaveOut = (name: string, _: string, isFolder: boolean) => isFolder && skipped.test(name);
  const used = new Set<string>();
  for await (const { path, size, isFolder } of walkTree(folder, { leaveOut, most: mostFiles, signal })) {
    if (isFolder) continue;
    if (documentEnding.test(extname(path)) && size <= most.documentBytes) {
      await readDocument(folder, path, content);
      continue;
    }
    if (!/\.(?:py|[mc]?[jt]s)$/.test(path) || size > most.codeBytes) continue;
    const bytes = await readInside(folder, path, most.codeBytes);
    if (bytes) await readCode(folder, path, bytes, content, used);
  }
  return content;
}

async function readDocument(folder: string, path: string, { documents, servers }: RepositoryContent): Promise<void> {
  const bytes = await readInside(folder, path, most.documentBytes);
  const text = bytes?.toString('utf8') ?? '';
  if (/(?:^|\/)\.?mcp\.json$/.test(path)) servers.push(...readServers(text));
  if (documents.length >= most.documents || !(sign.test(text.slice(0, 100_000)) || isSdl(text))) return;
  try {
    const value = isSdl(text) ? text : await parseDocument(text);
    // A part of another document has no paths of its own.
    if (isObject(value) && ('openapi' in value || 'swagger' in value) && !isObject(value.paths)) return;
    documents.push({ path, format: detectDocument(value, '', 'api').format });
  } catch {
    // Another kind of file.
  }
}

async function readCode(
  folder: string,
  path: string,
  bytes: Buffer,
  content: RepositoryContent,
  used: Set<string>,
): Promise<void> {
  const text = bytes.toString('utf8');
  const runner = path.endsWith('.py') ? 'python3' : 'node';
  if (isServer.test(text)) return void content.servers.push([runner, join(folder, path)]);
  const isProgram =
    usesCommandLine.test(text) && (runner === 'node' || /__main__|@click\.(?:command|group)/.test(text));
  if (isProgram && content.programs.length < most.programs) content.programs.push(path);
  if (isProgram || !canHaveFunctions(path) || content.functions.length >= most.functions) return;
  for (const found of await listFunctions(path, bytes)) {
    const key = `${found.file} ${found.export}`;
    if (!used.has(key)) content.functions.push(found);
    used.add(key);
  }
}

/** Of a file in the format that agent programs share. */
function readServers(text: string): string[][] {
  try {
    const { mcpServers } = JSON.parse(text) as { mcpServers?: Record<string, { command?: unknown; args?: unknown }> };
    return Object.values(mcpServers ?? {}).flatMap(({ command, args }) =>
      typeof command === 'string' ? [[command, ...(Array.isArray(args) ? args.map(String) : [])]] : [],
    );
  } catch {
    return [];
  }
}
