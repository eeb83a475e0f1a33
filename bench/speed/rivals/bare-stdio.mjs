// The bare stdio server: node:readline in, one line written per message.
import { createInterface } from 'node:readline';
import { answerMessage } from './bare-answer.mjs';

createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
  const answer = answerMessage(JSON.parse(line));
  if (answer) process.stdout.write(`${JSON.stringify(answer)}\n`);
});
