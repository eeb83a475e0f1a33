// The list of rules for secrets. If two match at the same position, the earlier one names it, so general rules are last.
// Functions instead of constants: a hundred patterns are compiled for the first text, not at the start.
import { listAssignedRules } from './assigned.ts';
import { listCloudRules } from './cloud.ts';
import { listFileRules } from './files.ts';
import { listHostedRules } from './hosted.ts';
import { listPlaceRules } from './places.ts';
import { listPrivateKeyRules } from './private-key.ts';
import { listProseRules } from './prose.ts';
import type { SecretRule } from './rule.ts';
import { listTableRules } from './tables.ts';
import { listVendorRules } from './vendors.ts';

export function listSecretRules(): readonly SecretRule[] {
  return [
    ...listCloudRules(),
    ...listVendorRules(),
    ...listHostedRules(),
    ...listPrivateKeyRules(),
    ...listFileRules(),
    ...listPlaceRules(),
    ...listAssignedRules(),
    ...listProseRules(),
    ...listTableRules(),
  ];
}
