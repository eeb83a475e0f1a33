// The difference between two texts, as added and removed words.
import { compare } from '../core/compare.ts';

export function Diff({ before, after }: { before: string; after: string }) {
  return (
    <p class="diff">
      {compare(before, after).map(({ text, change }, at) =>
        change === 'same' ? text : change === 'added' ? <ins key={at}>{text}</ins> : <del key={at}>{text}</del>,
      )}
    </p>
  );
}
