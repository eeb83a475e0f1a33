// Detects from its transcript whether an agent changed files: calls of editing tools, and commands that commit or patch.
// Transcripts differ by program, so names are matched loosely.
import { isObject } from '../core/schema.ts';

const editing = /edit|write|patch|replace|(?:create|delete|rename|move)_?file/i;
/** Task lists belong to the agent. */
const ownNotes = /todo|task|plan|memory/i;
const commands = /\bgit\s+(?:commit|merge|rebase|cherry-pick|am|apply|mv|rm|revert)\b|\bapply_patch\b|\bsed\s+-i/;
const calls = ['tool_use', 'function_call', 'custom_tool_call', 'local_shell_call'];

export function showsEdits(lines: string): boolean {
  return lines.split('\n').some((line) => line.startsWith('{') && partsOf(line).some(isEdit));
}

/** The parts of a line's message, or the line itself. */
function partsOf(line: string): unknown[] {
  try {
    const entry: unknown = JSON.parse(line);
    if (!isObject(entry)) return [];
    const message = [entry.message, entry.payload].find(isObject) ?? entry;
    return Array.isArray(message.content) ? message.content : [message];
  } catch {
    return [];
  }
}

function isEdit(part: unknown): boolean {
  if (!isObject(part) || !calls.includes(String(part.type))) return false;
  const name = String(part.name ?? '');
  if (editing.test(name) && !ownNotes.test(name)) return true;
  return commands.test(JSON.stringify(part.input ?? part.arguments ?? part.action ?? ''));
}
