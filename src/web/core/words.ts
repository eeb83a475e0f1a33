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

/** `may_disagree` as words. */
export function spell(name: string): string {
  return name.replaceAll('_', ' ');
}
