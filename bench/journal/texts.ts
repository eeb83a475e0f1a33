// Made-up checkpoints: Markdown of a given size, with headings, lists and files, the same in every run.
import { createRandom, writeNote, writeQuestion } from '../store/corpus.ts';

interface TextOptions {
  count: number;
  size: number;
}

export async function run({ count, size }: TextOptions) {
  const random = createRandom(7);
  const write = () => {
    const parts = [`# ${writeQuestion(random)}`];
    for (let length = 0; length < size; ) {
      const paragraph = Array.from({ length: 4 }, () => writeNote(random)).join(' ');
      const part = random() < 0.2 ? `## ${writeQuestion(random)}\n\n${paragraph}` : paragraph;
      parts.push(part);
      length += part.length + 2;
    }
    return parts.join('\n\n').slice(0, size);
  };
  return {
    texts: Array.from({ length: count }, write),
    questions: Array.from({ length: 200 }, () => writeQuestion(random)),
  };
}
