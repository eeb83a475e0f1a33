// What the merging writers write, known to them and to the test: no two writes have the same tag or expiry.

export const statements = 20;
const farAway = Date.parse('2100-01-01T00:00:00Z');

export function statementOf(number: number): string {
  return `Walrus ${number % statements} likes clams of sort ${number % statements}.`;
}

export function tagOf(writer: string, number: number): string {
  return `${writer}-${number}`;
}

export function expiryOf(writer: string, number: number): number | undefined {
  return number % 3 === 0 ? farAway + Number(writer.slice(1)) * 1_000_000 + number : undefined;
}
