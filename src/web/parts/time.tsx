// Times as people say them, with the exact one on demand.

const units: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' });
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

export function Time({ at }: { at: string }) {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return <>{at}</>;
  return (
    <time dateTime={at} title={exact.format(time)}>
      {describeAge(time.getTime() - Date.now())}
    </time>
  );
}

export function describeAge(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  return unit === 'second' && Math.abs(seconds) < 10 ? 'now' : relative.format(Math.trunc(seconds / size), unit);
}
