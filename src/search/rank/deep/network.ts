// The deep ranker: a BERT encoder whose last layer is computed only for the first token, and two scores from that token. Weights are 7-bit and
// activations 8-bit numbers; their products are exact. Everything is in the memory of a SIMD module (kernel.wat).
import { createEncoder, type Encoder } from './input.ts';
import { type Kernel, openKernel } from './kernel.ts';
import type { DeepHeader, ModelFile } from './model-file.ts';

export interface Network {
  header: DeepHeader;
  encoder: Encoder;
  /** The scores of an input whose first `asked` tokens are the question. */
  score(input: Uint16Array, asked: number): DeepScore;
}

export interface DeepScore {
  /** How well the text answers the question: for the order of results. */
  answers: number;
  /** The logarithm of the odds that the text helps with a prompt, though nobody asked for it. */
  helps: number;
}

/** Offsets in the memory of the kernel. */
interface Linear {
  weights: number;
  scales: number;
  bias: number;
  height: number;
  width: number;
}

interface Layer {
  qkv: Linear;
  out: Linear;
  attended: number;
  up: Linear;
  down: Linear;
  norm: number;
}

export function createNetwork(file: ModelFile, isRelaxed?: boolean): Network {
  const { header } = file;
  const kernel = openKernel(isRelaxed);
  return connect(header, kernel, readTensors(file, kernel));
}

/** Copies the weights to the memory of the kernel, so that the file can be released. */
function readTensors(file: ModelFile, kernel: Kernel) {
  const { header } = file;
  const { width, inner, pieces, positions } = header;
  const takeFloats = (count: number) => new Float32Array(file.take(count * 4).buffer);
  const vocabulary = Buffer.from(file.take(header.vocabularyBytes)).toString('utf8').split('\n');
  const rowScales = takeFloats(pieces);
  const rows = file.take((pieces * width * header.embeddingBits) / 8);
  const places = takeFloats(positions * width);
  const types = takeFloats(2 * width);

  const put = (...floats: Uint8Array[]) => floats.map((bytes) => kernel.put(bytes))[0] as number;
  const takeNorm = () => put(file.take(width * 4), file.take(width * 4));
  const takeLinear = (height: number, from: number): Linear => ({
    weights: kernel.putWeights(file.take(height * from), from),
    scales: put(file.take(height * 4)),
    bias: put(file.take(height * 4)),
    height,
    width: from,
  });
  const firstNorm = takeNorm();
  const layers: Layer[] = Array.from({ length: header.layers }, () => ({
    qkv: takeLinear(3 * width, width),
    out: takeLinear(width, width),
    attended: takeNorm(),
    up: takeLinear(inner, width),
    down: takeLinear(width, inner),
    norm: takeNorm(),
  }));
  const takeHead = () => ({ weights: takeFloats(width), bias: takeFloats(1)[0] as number });
  const heads = { answers: takeHead(), helps: takeHead() };

  return { vocabulary, rowScales, rows, places, types, firstNorm, layers, heads };
}

function connect(header: DeepHeader, kernel: Kernel, tensors: ReturnType<typeof readTensors>): Network {
  const { width, inner, positions, epsilon } = header;
  const { vocabulary, rowScales, rows, places, types, firstNorm, layers, heads } = tensors;
  // Rows are multiplied in fours.
  const most = Math.ceil(positions / 4) * 4;
  const broadest = Math.max(3 * width, inner);
  const states = kernel.reserve(most * width * 4);
  const added = kernel.reserve(most * width * 4);
  const broad = kernel.reserve(most * broadest * 4);
  const quantized = kernel.reserve(most * broadest * 2);
  const scales = kernel.reserve(most * 8);
  const scratch = kernel.reserve(33 * (most * 4 + 64));

  function apply(
    count: number,
    from: number,
    { weights, scales: factors, bias, height, width: k }: Linear,
    to: number,
  ) {
    kernel.quantize(count, k, from, quantized, scales);
    kernel.multiply(count, k, height, quantized, scales, weights, factors, bias, to);
  }

  function embed(input: Uint16Array, asked: number): void {
    const { token, place } = { token: kernel.floats(states), place: kernel.floats(added) };
    for (const [at, piece] of input.entries()) {
      const scale = rowScales[piece] as number;
      readRow(rows, piece, scale, token.subarray(at * width, (at + 1) * width), header.embeddingBits);
      const type = at < asked ? 0 : width;
      for (let k = 0; k < width; k++) {
        place[at * width + k] = (places[at * width + k] as number) + (types[type + k] as number);
      }
    }
    kernel.normalize(input.length, width, states, added, firstNorm, epsilon);
  }

  return {
    header,
    encoder: createEncoder(vocabulary, header),
    score(given, asked) {
      const input = given.subarray(0, positions);
      const count = input.length;
      embed(input, asked);
      for (const [at, layer] of layers.entries()) {
        // Of the last layer, nothing but the first token is read.
        const used = at === layers.length - 1 ? 1 : count;
        apply(count, states, layer.qkv, broad);
        kernel.attend(used, count, width, broad, scratch, added);
        apply(used, added, layer.out, broad);
        kernel.normalize(used, width, states, broad, layer.attended, epsilon);
        apply(used, states, layer.up, broad);
        kernel.gelu(broad, broad + used * inner * 4);
        apply(used, broad, layer.down, added);
        kernel.normalize(used, width, states, added, layer.norm, epsilon);
      }
      const first = kernel.floats(states);
      const read = ({ weights, bias }: (typeof heads)['answers']) =>
        weights.reduce((sum, weight, k) => sum + weight * (first[k] as number), bias);
      return { answers: read(heads.answers), helps: read(heads.helps) };
    },
  };
}

function readRow(rows: Uint8Array, row: number, scale: number, to: Float32Array, bits: 4 | 8): void {
  const from = (row * to.length * bits) / 8;
  for (let k = 0; k < to.length; k++) {
    if (bits === 8) {
      to[k] = scale * (((rows[from + k] as number) << 24) >> 24);
      continue;
    }
    const pair = rows[from + (k >> 1)] as number;
    to[k] = scale * (((k & 1) === 0 ? pair & 15 : pair >> 4) - 8);
  }
}
