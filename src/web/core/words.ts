// The words of the store in the words of people.

const changes: Record<string, string> = {
  put: 'stored',
  update: 'updated',
  edit: 'edited',
  expire: 'expired',
  supersede: 'superseded',
  forget: 'forgotten',
  restore: 'restored',
};

export function nameChange(action: string): string {
  return changes[action] ?? action;
}

const uses: Record<string, string> = {
  recalled: 'recalled',
  recalled_tokens: 'tokens recalled',
  injected: 'added to prompts',
  injected_tokens: 'tokens added to prompts',
  helped: 'rated helpful',
  did_not_help: 'rated unhelpful',
};

export function nameUse(action: string): string {
  return uses[action] ?? action;
}

/** `may_disagree` as words. */
export function spell(name: string): string {
  return name.replaceAll('_', ' ');
}
