// The hook events that we handle, by the programs' own names. The spelling identifies the family of programs and thus the
// format of the answer, so that the configuration needs nothing else.
import { isObject } from '../core/schema.ts';

/** start: describe the project. prompt: add relevant memories. learn: store the conversation. */
type Moment = 'start' | 'prompt' | 'learn';

export interface HookEvent {
  moment: Moment;
  /** The conversation is compacted or ends, so a checkpoint is saved. */
  closing?: true;
  /** Wraps the context; without it, the program accepts none at this event. */
  wrap?(context: string, event: string): object;
}

const wrapSpecific = (additionalContext: string, hookEventName: string) => ({
  hookSpecificOutput: { hookEventName, additionalContext },
});

export const hookEvents: Readonly<Record<string, HookEvent>> = {
  // Claude Code, Codex, VS Code
  SessionStart: { moment: 'start', wrap: wrapSpecific },
  UserPromptSubmit: { moment: 'prompt', wrap: wrapSpecific },
  PreCompact: { moment: 'learn', closing: true },
  Stop: { moment: 'learn' },
  SessionEnd: { moment: 'learn', closing: true },
  // Gemini CLI
  BeforeAgent: { moment: 'prompt', wrap: wrapSpecific },
  AfterAgent: { moment: 'learn' },
  // Cursor
  sessionStart: { moment: 'start', wrap: (context) => ({ additional_context: context }) },
  beforeSubmitPrompt: { moment: 'prompt', wrap: (context) => ({ continue: true, additional_context: context }) },
  preCompact: { moment: 'learn', closing: true },
  stop: { moment: 'learn' },
  // Windsurf
  post_cascade_response_with_transcript: { moment: 'learn' },
};

/** The input of a hook, with one name for each value. */
export interface HookInput {
  /** The agent's working folder. */
  folder?: string;
  session?: string;
  /** Why the session starts. */
  source?: string;
  prompt?: string;
  /** The answer to the prompt, if the program passes it. */
  answer?: string;
  transcript?: string;
}

export function readHookInput(text: string, env: NodeJS.ProcessEnv): HookInput {
  const message: unknown = JSON.parse(text);
  if (!isObject(message)) return {};
  const inner = isObject(message.tool_info) ? message.tool_info : {};
  const roots = Array.isArray(message.workspace_roots) ? message.workspace_roots : [];
  const input: HookInput = {};
  const set = (key: keyof HookInput, ...values: unknown[]) => {
    const value = values.find((one) => typeof one === 'string' && one !== '');
    if (value !== undefined) input[key] = value as string;
  };
  // The agent may work in a subfolder; the variable names the top of the project.
  set('folder', env.CLAUDE_PROJECT_DIR, roots[0], message.cwd);
  set('session', message.session_id, message.sessionId, message.conversation_id, message.trajectory_id);
  set('source', message.source);
  set('prompt', message.prompt);
  set('answer', message.prompt_response);
  set('transcript', message.transcript_path, inner.transcript_path);
  return input;
}
