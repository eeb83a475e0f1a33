// The page at /: tells a person who opens the server in a browser what it is. Programs get the same as plain text.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { version } from '../core/version.ts';

export function sendWelcome({ headers }: IncomingMessage, response: ServerResponse): void {
  const url = `http://${headers.host ?? 'localhost'}/mcp`;
  const lines = [
    `Lorekeeper ${version} is running. It serves the Model Context Protocol to coding agents.`,
    `Connect an agent: lore install claude-code, or claude mcp add -t http lorekeeper ${url}`,
    'List the tools: lore tools. Check the installation: lore doctor.',
  ];
  const isPage = headers.accept?.includes('text/html') === true;
  const paragraphs = lines.map((line) => `<p>${line.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</p>`);
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Lorekeeper</title>${paragraphs.join('')}</html>\n`;
  response.writeHead(200, {
    'Content-Type': `text/${isPage ? 'html' : 'plain'}; charset=utf-8`,
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  });
  response.end(isPage ? page : `${lines.join('\n')}\n`);
}
