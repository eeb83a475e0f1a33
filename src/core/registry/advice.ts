// Advice for a failed call: services that are advisers may add what fixed the same failure before.
import type { Call } from '../call.ts';
import { type Advice, LoreError } from '../error.ts';
import type { Adviser } from '../service.ts';

/** A failure is reported without advice rather than much later. */
const adviceMs = 300;

/** The failure is reported even if an adviser throws, rejects or never answers. */
export async function addAdvice(error: LoreError, call: Call, advisers: readonly Adviser[]): Promise<LoreError> {
  const late = new Promise<readonly Advice[]>((resolve) => setTimeout(resolve, adviceMs, []).unref());
  const ask = async (advise: Adviser) => advise(error, call);
  const asked = advisers.map((advise) => Promise.race([ask(advise).catch(() => []), late]));
  const found = (await Promise.all(asked)).flat();
  if (found.length === 0) return error;
  const advice = [...error.advice, ...found];
  const { word, message, hint, details, cause } = error;
  return new LoreError(word, message, {
    ...(hint !== undefined && { hint }),
    ...(details && { details }),
    advice,
    cause,
  });
}
