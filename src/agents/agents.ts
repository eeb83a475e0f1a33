// The list of programs that lore can be installed into.
import type { Agent } from './agent.ts';
import { claudeCode } from './claude-code.ts';
import { claudeDesktop } from './claude-desktop.ts';
import { codex } from './codex.ts';
import { cursor } from './cursor.ts';
import { gemini } from './gemini.ts';
import { vscode } from './vscode.ts';
import { windsurf } from './windsurf.ts';
import { zed } from './zed.ts';

export const agents: readonly Agent[] = [claudeCode, claudeDesktop, cursor, vscode, codex, gemini, windsurf, zed];
