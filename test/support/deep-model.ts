// A small random model of the deep ranker, the same for each seed, and its file.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { DeepHeader } from '../../src/search/rank/deep/model-file.ts';

const pieces = ['[UNK]', '[CLS]', '[SEP]', ...'where are the cars repaired in a garage ? . ##s broken who'.split(' ')];

const header = {
  layers: 2,
  width: 64,
  inner: 96,
  pieces: pieces.length,
  positions: 30,
  embeddingBits: 4,
  vocabularyBytes: Buffer.byteLength(pieces.join('\n')),
  epsilon: 1e-12,
  tokens: { unknown: 0, start: 1, separator: 2 },
  limits: { question: 8, text: 10, before: 6 },
  fusion: { fast: 1, deep: 10 },
} satisfies DeepHeader;

export interface DeepModel {
  header: DeepHeader;
  /** In the order of the file. */
  tensors: (Float32Array | Int8Array | Uint8Array)[];
}

export function makeDeepModel(given: Partial<DeepHeader> = {}): DeepModel {
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) / 2 ** 24 - 0.5;
  };
  const shape = { ...header, ...given };
  const { width, inner } = shape;
  const floats = (count: number, scale: number, offset = 0) =>
    Float32Array.from({ length: count }, () => offset + scale * random());
  const linear = (height: number, from: number) => [
    Int8Array.from({ length: height * from }, () => Math.round(126 * random())),
    floats(height, 0.002, 0.004),
    floats(height, 0.2),
  ];
  const norm = () => [floats(width, 0.4, 1), floats(width, 0.2)];
  return {
    header: shape,
    tensors: [
      Buffer.from(pieces.join('\n')),
      floats(pieces.length, 0.05, 0.1),
      Uint8Array.from({ length: (pieces.length * width * shape.embeddingBits) / 8 }, () =>
        Math.floor(256 * (random() + 0.5)),
      ),
      floats(shape.positions * width, 0.5),
      floats(2 * width, 0.5),
      ...norm(),
      ...Array.from({ length: shape.layers }, () => [
        ...linear(3 * width, width),
        ...linear(width, width),
        ...norm(),
        ...linear(inner, width),
        ...linear(width, inner),
        ...norm(),
      ]).flat(),
      ...['answers', 'helps'].flatMap(() => [floats(width, 1), floats(1, 1)]),
    ],
  };
}

export function writeDeepModel(path: string, { header: shape, tensors }: DeepModel): void {
  const text = JSON.stringify(shape);
  const json = text.padEnd(Math.ceil(Buffer.byteLength(text) / 16) * 16);
  const padded = tensors.map(({ buffer, byteOffset, byteLength }) =>
    Buffer.concat([Buffer.from(buffer, byteOffset, byteLength), Buffer.alloc(-byteLength & 15)]),
  );
  const content = Buffer.concat([Buffer.from(json), ...padded]);
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32LE(json.length);
  const hash = createHash('sha256').update(content).digest();
  writeFileSync(path, Buffer.concat([Buffer.from('LORERNK2'), lengths, hash, content]));
}
