// The program of a thread of the deep ranker. All threads get the same question and take one text after the other, the best by the fast
// ranking first, until the time is over.
import { parentPort, workerData } from 'node:worker_threads';
import { readModelFile } from './model-file.ts';
import { createNetwork } from './network.ts';
import { type DeepQuestion, type DeepReply, splitScores, unknownLanguage } from './threads.ts';

const reply = (message: DeepReply) => parentPort?.postMessage(message);
const network = createNetwork(readModelFile((workerData as { path: string }).path));
const { encoder, header } = network;
// Compiles what a score needs.
network.score(encoder.pair(encoder.question('ready'), { text: 'ready' }), 3);
reply({ fusion: header.fusion });

parentPort?.on('message', ({ number, question, pairs, shared, until }: DeepQuestion) => {
  const next = new Int32Array(shared, 0, 1);
  const [scores, relevance] = splitScores(shared, pairs.length);
  if (encoder.knows(question)) {
    const asked = encoder.question(question);
    while (Date.now() < until) {
      const at = Atomics.add(next, 0, 1);
      const pair = pairs[at];
      if (!pair) break;
      if (!encoder.knows(pair.text)) scores[at] = unknownLanguage;
      else {
        const { answers, helps } = network.score(encoder.pair(asked, pair), asked.length + 2);
        [scores[at], relevance[at]] = [answers, helps];
      }
    }
  }
  reply({ number });
});
