// Adds known fixes to the failure of any service's tool.

import type { LoreError } from '../../core/error.ts';
import type { Adviser } from '../../core/service.ts';
import { cutText } from '../../core/text/budget.ts';
import type { JournalContext } from './context.ts';

const longestTokens = 400;

export function createAdviser(context: JournalContext): Adviser {
  return async (error, call) => {
    const scope = await context.open(call);
    const { offerFix } = await import('./remediation/match.ts');
    const { viewRemediation } = await import('./remediation/remediation.ts');
    const matches = await offerFix(scope, describeCauses(error));
    return matches.map(({ node }) => {
      const { error: known, solution, root_cause: cause } = viewRemediation(node);
      const parts = [known, `Solution: ${solution}`, ...(cause === undefined ? [] : [`Root cause: ${cause}`])];
      return { id: node.id, text: cutText(parts.join('\n'), node.id, longestTokens) };
    });
  };
}

const mostCauses = 5;

/** The output of another program is never shown, but it identifies an error. */
function describeCauses(error: LoreError): string {
  const messages = [error.message];
  let cause = error.cause;
  for (let depth = 0; cause instanceof Error && depth < mostCauses; depth++) {
    messages.push(`${cause.name}: ${cause.message}`);
    cause = cause.cause;
  }
  return messages.join('\n');
}
