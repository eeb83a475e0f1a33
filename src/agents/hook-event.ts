// The hook events that we handle, by the programs' own names. The spelling identifies the family of programs and thus the
// format of the answer, so that the configuration needs nothing else.
import { isObject } from '../core/schema.ts';

/** start: say what matters of the project. prompt: say what helps with it. learn: keep what was said. */
type Moment = 'start' | 'prompt' | 'learn';

export interface HookEvent {
  moment: Moment;
  /** The conversation is cut short or ends: where the work stands is written down. */
  closing?: true;
  /** Around the context; without it, the program takes none at this event. */
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

/** What programs tell a hook, under the one name we have for it. */
export interface HookInput {
  /** Where the agent works. */
  folder?: string;
  session?: string;
  /** Why a session starts. */
  source?: string;
  prompt?: string;
  /** The answer to the prompt, where the program hands it over. */
  answer?: string;
  transcript?: string;
}

export function readHookInput(text: string, env: NodeJS.ProcessEnv): HookInput {
  const told: unknown = JSON.parse(text);
  if (!isObject(told)) return {};
  const inner = isObject(told.tool_info) ? told.tool_info : {};
  const roots = Array.isArray(told.workspace_roots) ? told.workspace_roots : [];
  const input: HookInput = {};
  const set = (key: keyof HookInput, ...values: unknown[]) => {
    const value = values.find((one) => typeof one === 'string' && one !== '');
    if (value !== undefined) input[key] = value as string;
  };
  // The agent may have gone into a folder of the project; the variable names its top.
  set('folder', env.CLAUDE_PROJECT_DIR, roots[0], told.cwd);
  set('session', told.session_id, told.sessionId, told.conversation_id, told.trajectory_id);
  set('source', told.source);
  set('prompt', told.prompt);
  set('answer', told.prompt_response);
  set('transcript', told.transcript_path, inner.transcript_path);
  return input;
}
