// The files beside an exported program: what npm, the MCP registry, MCPB clients and people read.
import { programFile } from './layout.ts';

export interface ExportedServer {
  name: string;
  title: string;
  version: string;
  origin: string;
  tools: number;
  /** Environment variables with the secrets of security schemes. */
  variables: readonly { name: string; scheme: string }[];
}

const node = '>=20';
const permission = {
  name: 'LORE_PERMISSION',
  description: 'What tools may do without asking: off, read (default) or write',
};

/** The content of each file by its name. */
export function describeServer(server: ExportedServer): Record<string, string> {
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  return {
    'package.json': json(describePackage(server)),
    'server.json': json(describeRegistryEntry(server)),
    'manifest.json': json(describeBundle(server)),
    'README.md': describeUse(server),
  };
}

function packageOf({ name }: ExportedServer): string {
  return `${name}-mcp`;
}

function summaryOf({ title, tools }: ExportedServer): string {
  return `${title}: ${tools} tools over the Model Context Protocol`;
}

function describePackage(server: ExportedServer) {
  return {
    name: packageOf(server),
    version: server.version,
    description: summaryOf(server),
    type: 'module',
    bin: { [packageOf(server)]: programFile },
    files: [programFile, 'data', 'server.json', 'manifest.json'],
    engines: { node },
    mcpName: `com.example/${server.name}`,
  };
}

function describeRegistryEntry(server: ExportedServer) {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: `com.example/${server.name}`,
    title: server.title,
    description: summaryOf(server).slice(0, 100),
    version: server.version,
    packages: [
      {
        registryType: 'npm',
        identifier: packageOf(server),
        version: server.version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        environmentVariables: [
          ...server.variables.map(({ name, scheme }) => ({
            name,
            description: `Secret of the security scheme ${scheme}`,
            isSecret: true,
          })),
          permission,
        ],
      },
    ],
  };
}

function describeBundle(server: ExportedServer) {
  const settings = [
    ...server.variables.map(({ name, scheme }) => ({
      name,
      title: scheme,
      description: `Secret of the security scheme ${scheme}`,
      sensitive: true,
    })),
    { ...permission, title: 'Permission', sensitive: false },
  ];
  const keyOf = (name: string) => name.toLowerCase();
  return {
    manifest_version: '0.3',
    name: packageOf(server),
    display_name: server.title,
    version: server.version,
    description: summaryOf(server),
    author: { name: server.title },
    server: {
      type: 'node',
      entry_point: programFile,
      mcp_config: {
        command: 'node',
        args: [`\${__dirname}/${programFile}`],
        env: Object.fromEntries(settings.map(({ name }) => [name, `\${user_config.${keyOf(name)}}`])),
      },
    },
    user_config: Object.fromEntries(
      settings.map(({ name, title, description, sensitive }) => [
        keyOf(name),
        { type: 'string', title, description, sensitive, required: false, default: '' },
      ]),
    ),
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node } },
    tools_generated: true,
  };
}

function describeUse(server: ExportedServer): string {
  const { name, title, origin, tools, variables } = server;
  const [first] = variables;
  const env = first ? ` --env ${first.name}=…` : '';
  const rows = [
    ...variables.map(
      (one) => `| \`${one.name}\` | secret of the security scheme ${one.scheme}; sent only to ${origin} |`,
    ),
    `| \`${permission.name}\` | what tools may do without asking: \`off\`, \`read\` (default) or \`write\` |`,
  ];
  return [
    `# ${title}`,
    '',
    `An MCP server for ${origin} with ${tools} tools. It needs Node 20 or later and has no dependencies.`,
    '',
    '```sh',
    `claude mcp add ${name}${env} -- node "$PWD/${programFile}"`,
    `codex mcp add ${name}${env} -- node "$PWD/${programFile}"`,
    '```',
    '',
    'Other clients:',
    '',
    '```json',
    JSON.stringify(
      {
        mcpServers: {
          [name]: {
            command: 'node',
            args: [`/path/to/${programFile}`],
            ...(first && { env: { [first.name]: '…' } }),
          },
        },
      },
      null,
      2,
    ),
    '```',
    '',
    '| variable | |',
    '|---|---|',
    ...rows,
    '',
    'If there are few tools, all are listed. Otherwise `tool_find` finds them by what they do, and `tool_read` and `tool_write` run them.',
    '',
    `\`${programFile}\` is the same program in every export; \`data\` describes the API. \`server.json\` is for the MCP registry, and`,
    '`manifest.json` for MCPB clients: replace `com.example` by your own name space before you publish, and pack this folder with `npx @anthropic-ai/mcpb pack`.',
    '',
  ].join('\n');
}
