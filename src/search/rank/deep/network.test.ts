// The SIMD kernel computes the same scores as a plain implementation; damaged files are refused.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type DeepModel, makeDeepModel, writeDeepModel } from '../../../../test/support/deep-model.ts';
import { createFolder } from '../../../../test/support/folder.ts';
import { hasRelaxed } from './kernel.ts';
import { readModelFile } from './model-file.ts';
import { createNetwork } from './network.ts';

const inputs = [
  [1, 3, 4, 10, 2, 7, 8, 2],
  [1, 2, 2],
  [1, 3, 4, 5, 6, 7, 13, 2, ...Array.from({ length: 22 }, (_, at) => 3 + (at % 12))],
].map((tokens) => Uint16Array.from(tokens));

function open(model: DeepModel, isRelaxed?: boolean) {
  const path = join(createFolder('deep'), 'ranker.bin');
  writeDeepModel(path, model);
  return createNetwork(readModelFile(path), isRelaxed);
}

it('scores like a plain implementation, with one and several layers and both sizes of embeddings', () => {
  for (const [embeddingBits, layers] of [
    [4, 1],
    [4, 2],
    [8, 2],
  ] as const) {
    const model = makeDeepModel({ embeddingBits, layers });
    const network = open(model, false);
    for (const input of inputs) {
      const { answers, helps } = network.score(input, 5);
      const expected = scorePlainly(model, input, 5);
      for (const [at, score] of [answers, helps].entries()) expect(score).toBeCloseTo(expected[at] as number, 1);
    }
  }
});

it('scores the same with relaxed SIMD', ({ skip }) => {
  if (!hasRelaxed()) skip('This version of Node has no relaxed SIMD');
  const model = makeDeepModel();
  const [plain, relaxed] = [open(model, false), open(model, true)];
  expect(inputs.map((input) => relaxed.score(input, 5))).toEqual(inputs.map((input) => plain.score(input, 5)));
});

it('refuses a file that is damaged, cut or missing', () => {
  const path = join(createFolder('deep'), 'ranker.bin');
  writeDeepModel(path, makeDeepModel());
  const whole = readFileSync(path);
  const changed = Buffer.from(whole);
  changed[whole.length - 100] = (changed[whole.length - 100] as number) ^ 1;
  for (const bytes of [changed, whole.subarray(0, -16), whole.subarray(0, 20), Buffer.alloc(0)]) {
    writeFileSync(path, bytes);
    expect(() => readModelFile(path)).toThrow('it is damaged or of another format');
  }
  expect(() => readModelFile(join(path, 'none'))).toThrow('the file cannot be opened');
});

/** The same arithmetic in plain loops, with the exact GELU and exponential function. */
function scorePlainly({ header, tensors }: DeepModel, input: Uint16Array, asked: number): number[] {
  const { width, inner, embeddingBits, epsilon } = header;
  const left = tensors.slice(1).values();
  const next = () => left.next().value as Float32Array;
  const scales = next();
  const rows = next() as unknown as Uint8Array;
  const [places, types] = [next(), next()];
  const readValue = (row: number, k: number) => {
    if (embeddingBits === 8) return ((rows[row * width + k] as number) << 24) >> 24;
    return (((rows[(row * width + k) >> 1] as number) >> (4 * (k & 1))) % 16) - 8;
  };
  const norm = () => {
    const [gamma, beta] = [next(), next()];
    return (row: number[]) => {
      const mean = row.reduce((sum, x) => sum + x, 0) / width;
      const variance = row.reduce((sum, x) => sum + (x - mean) ** 2, 0) / width;
      return row.map(
        (x, k) => ((x - mean) / Math.sqrt(variance + epsilon)) * (gamma[k] as number) + (beta[k] as number),
      );
    };
  };
  const linear = (height: number) => {
    const [weights, factors, bias] = [next(), next(), next()];
    return (row: number[]) => {
      const scale = Math.max(...row.map(Math.abs)) / 127;
      const rounded = row.map((x) => Math.round(x / scale));
      return Array.from({ length: height }, (_, at) => {
        const sum = rounded.reduce((total, x, k) => total + x * (weights[at * row.length + k] as number), 0);
        return sum * scale * (factors[at] as number) + (bias[at] as number);
      });
    };
  };
  const add = (a: number[], b: number[]) => a.map((x, k) => x + (b[k] as number));
  const first = norm();
  let states = [...input].map((piece, at) =>
    first(
      Array.from(
        { length: width },
        (_, k) =>
          (scales[piece] as number) * readValue(piece, k) +
          (places[at * width + k] as number) +
          (types[(at < asked ? 0 : width) + k] as number),
      ),
    ),
  );
  for (let layer = 0; layer < header.layers; layer++) {
    const [qkv, out, attended, up, down, last] = [
      linear(3 * width),
      linear(width),
      norm(),
      linear(inner),
      linear(width),
      norm(),
    ];
    const all = states.map(qkv);
    states = states.map((state, at) => {
      const weights = Array.from({ length: width / 32 }, (_, head) => {
        const products = all.map((other) => {
          let product = 0;
          for (let k = head * 32; k < head * 32 + 32; k++) {
            product += (all[at]?.[k] as number) * (other[width + k] as number);
          }
          return Math.exp(product / Math.sqrt(32));
        });
        const total = products.reduce((sum, product) => sum + product, 0);
        return products.map((product) => product / total);
      });
      const mixed = Array.from({ length: width }, (_, k) =>
        all.reduce(
          (sum, other, place) => sum + (weights[k >> 5]?.[place] as number) * (other[2 * width + k] as number),
          0,
        ),
      );
      const middle = attended(add(state, out(mixed)));
      return last(add(middle, down(up(middle).map(gelu))));
    });
  }
  return ['answers', 'helps'].map(() => {
    const [weights, bias] = [next(), next()[0] as number];
    return states[0]?.reduce((sum, x, k) => sum + x * (weights[k] as number), bias) as number;
  });
}

function gelu(x: number): number {
  // Simpson's rule for the normal distribution.
  const steps = 40;
  let area = 0;
  for (let at = 0; at <= steps; at++) {
    const share = at === 0 || at === steps ? 1 : at % 2 === 1 ? 4 : 2;
    area += share * Math.exp(((x * at) / steps) ** 2 / -2);
  }
  return x * (0.5 + (area * x) / steps / 3 / Math.sqrt(2 * Math.PI));
}
