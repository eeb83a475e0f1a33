// The one list of rules for secrets. Where two find the same place the earlier one names it, so the general come last.
// Functions instead of constants: a hundred patterns are read when the first text comes, not when the server starts.
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
