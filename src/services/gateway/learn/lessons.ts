// Learns from calls: a failure that is followed by a success of the same tool with other arguments becomes a lesson, which the next
// equal failure reports, and which a search shows. A lesson that does not help is dropped.
import type { Advice } from '../../../core/error.ts';
import { compareArguments, signError } from './lesson.ts';

export interface Lesson {
  /** As its server names it. */
  readonly tool: string;
  readonly signature: string;
  /** What worked, without values. */
  readonly text: string;
  readonly at: number;
  /** How often a call worked, or failed again, after the lesson was reported. */
  readonly worked: number;
  readonly failed: number;
}

interface FailedCall {
  signature: string;
  args: { readonly [name: string]: unknown };
  error: string;
  at: number;
  /** The lesson that was reported. */
  reported?: string | undefined;
}

const withinMs = 10 * 60_000;
const mostLessons = 200;
const mostFailures = 1_000;
/** Failures in a row after which a lesson is dropped, unless it worked more often. */
const mostFailed = 3;

/** The lessons of one mount: stored with it, and changed through `save`. */
export interface LessonStore {
  read(): readonly Lesson[];
  save(lessons: readonly Lesson[]): Promise<void>;
}

export class Lessons {
  /** The last failure of each tool in each session. */
  readonly #failures = new Map<string, FailedCall>();

  /** Advice for this failure, if an equal one was solved before. */
  async noteFailure(
    key: string,
    tool: string,
    args: FailedCall['args'],
    text: string,
    store: LessonStore,
  ): Promise<Advice[]> {
    const signature = signError(text, args);
    const earlier = this.#failures.get(key);
    const lessons = store.read();
    const isAgain = earlier?.reported !== undefined && earlier.signature === signature;
    const kept = isAgain ? judge(lessons, tool, signature, earlier.reported, 'failed') : lessons;
    if (kept !== lessons) await store.save(kept);
    const known = kept
      .filter((one) => one.tool === tool && one.signature === signature)
      .sort((a, b) => b.worked - a.worked);
    this.#remember(key, { signature, args, error: text, at: Date.now(), reported: known[0]?.text });
    return known.slice(0, 3).map(({ text: worked }) => ({ id: tool, text: `the same call worked ${worked}` }));
  }

  /** Whether some call failed, so that a success may explain it. */
  get hasFailures(): boolean {
    return this.#failures.size > 0;
  }

  async noteSuccess(key: string, tool: string, args: FailedCall['args'], store: LessonStore): Promise<void> {
    const failure = this.#failures.get(key);
    if (!failure) return;
    this.#failures.delete(key);
    if (Date.now() - failure.at > withinMs) return;
    const { signature, reported } = failure;
    const text = compareArguments(failure.args, args, failure.error);
    if (text === undefined) return;
    const lessons = store.read();
    const isKnown = lessons.some((one) => one.tool === tool && one.signature === signature && one.text === text);
    const judged = judge(lessons, tool, signature, isKnown ? text : reported, 'worked');
    const fresh = { tool, signature, text, at: Date.now(), worked: 0, failed: 0 };
    await store.save((isKnown ? judged : [fresh, ...judged]).slice(0, mostLessons));
  }

  #remember(key: string, failure: FailedCall): void {
    this.#failures.delete(key);
    this.#failures.set(key, failure);
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > mostFailures && oldest !== undefined) this.#failures.delete(oldest);
  }
}

function judge(
  lessons: readonly Lesson[],
  tool: string,
  signature: string,
  text: string | undefined,
  outcome: 'worked' | 'failed',
): readonly Lesson[] {
  if (text === undefined) return lessons;
  return lessons
    .map((one) =>
      one.tool === tool && one.signature === signature && one.text === text
        ? { ...one, [outcome]: one[outcome] + 1 }
        : one,
    )
    .filter(({ worked, failed }) => failed < mostFailed || worked >= failed);
}
