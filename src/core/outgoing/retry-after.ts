// The delay that a server asks for with the header Retry-After.

/** In ms. The header has seconds, or a date. */
export function readRetryAfter(given: string | undefined): number | undefined {
  const text = given?.trim() ?? '';
  if (text === '') return undefined;
  const wait = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}
