// The memory and the functions of the SIMD module of the deep ranker (kernel.wat). If the engine has relaxed SIMD, a second module
// (relaxed.wat) multiplies faster; the results are the same.
const kernelBytes =
  'AGFzbQEAAAABUwpgAXsBfWAFf39/f38AYAh/f39/f39/fwBgCX9/f39/f39/fwBgBn9/f39/fQBgAn9/AGABewF7YAV/f39/fwF9YAZ/f39/fX8AYAZ/f3' +
  '9/f38AAwwLAAABAgMEBQYHCAkFAwEAAQc8BgZtZW1vcnkCAAhxdWFudGl6ZQACCG11bHRpcGx5AAQJbm9ybWFsaXplAAUEZ2VsdQAGBmF0dGVuZAAKCoUX' +
  'CxkAIAD9HwAgAP0fAZIgAP0fAiAA/R8DkpILGQAgAP0fACAA/R8BlyAA/R8CIAD9HwOXlwu+AQMCfwJ7AX0DQCACIAFBAnRqIQYgAiEF/QwAAAAAAAAAAA' +
  'AAAAAAAAAAIQcDQCAHIAX9AAQA/eAB/esBIQcgBUEQaiEFIAUgBkkNAAsgBxABIQkgBCAJQwAA/kKVOAIAQwAA/kIgCZX9EyEIA0AgAyAC/QAEACAI/eYB' +
  '/Wr9+AEgAv0ABBAgCP3mAf1q/fgB/YUB/QsEACADQRBqIQMgAkEgaiECIAIgBkkNAAsgBEEIaiEEIABBAWsiAA0ACwvtBQIGfwt7IAEhCSAJIABBAXRqIQ' +
  'ogCiAAQQF0aiELIAsgAEEBdGohDCACIABBAnRqIQ0gDSEIA0AgAv0BAwAhDiAN/QEDACEPIAn9CQIAIRAgESAQIA79ugH9rgEhESAVIBAgD/26Af2uASEV' +
  'IAr9CQIAIRAgEiAQIA79ugH9rgEhEiAWIBAgD/26Af2uASEWIAv9CQIAIRAgEyAQIA79ugH9rgEhEyAXIBAgD/26Af2uASEXIAz9CQIAIRAgFCAQIA79ug' +
  'H9rgEhFCAYIBAgD/26Af2uASEYIAL9AQMIIQ4gDf0BAwghDyAJ/QkCBCEQIBEgECAO/boB/a4BIREgFSAQIA/9ugH9rgEhFSAK/QkCBCEQIBIgECAO/boB' +
  '/a4BIRIgFiAQIA/9ugH9rgEhFiAL/QkCBCEQIBMgECAO/boB/a4BIRMgFyAQIA/9ugH9rgEhFyAM/QkCBCEQIBQgECAO/boB/a4BIRQgGCAQIA/9ugH9rg' +
  'EhGCAJQQhqIQkgCkEIaiEKIAtBCGohCyAMQQhqIQwgDUEQaiENIAJBEGoiAiAISQ0ACyAD/QkCACEQIAYgBf0ABAAgEf36ASAQIAT9AAQA/eYB/eYB/eQB' +
  '/QsEACAGIAX9AAQQIBX9+gEgECAE/QAEEP3mAf3mAf3kAf0LBBAgBiAHaiEGIAP9CQIIIRAgBiAF/QAEACAS/foBIBAgBP0ABAD95gH95gH95AH9CwQAIA' +
  'YgBf0ABBAgFv36ASAQIAT9AAQQ/eYB/eYB/eQB/QsEECAGIAdqIQYgA/0JAhAhECAGIAX9AAQAIBP9+gEgECAE/QAEAP3mAf3mAf3kAf0LBAAgBiAF/QAE' +
  'ECAX/foBIBAgBP0ABBD95gH95gH95AH9CwQQIAYgB2ohBiAD/QkCGCEQIAYgBf0ABAAgFP36ASAQIAT9AAQA/eYB/eYB/eQB/QsEACAGIAX9AAQQIBj9+g' +
  'EgECAE/QAEEP3mAf3mAf3kAf0LBBALcwEDfyACQQJ0IQoDQEEAIQkDQCABIAMgCSABQQF0bGogBSAEIAlBA3RqIAYgByAIIAkgCmxqIAoQAyAJQQRqIgkg' +
  'AEkNAAsgBSABQQN0aiEFIAZBIGohBiAHQSBqIQcgCEEgaiEIIAtBCGoiCyACSQ0ACwuqAgICfwN7IAFBAnQhBwNA/QwAAAAAAAAAAAAAAAAAAAAAIQhBAC' +
  'EGA0AgAiAGav0ABAAgAyAGav0ABAD95AEhCiACIAZqIAr9CwQAIAggCv3kASEIIAZBEGoiBiAHSQ0ACyAIEAAgAbOV/RMhCf0MAAAAAAAAAAAAAAAAAAAA' +
  'ACEIQQAhBgNAIAIgBmr9AAQAIAn95QEhCiAIIAogCv3mAf3kASEIIAZBEGoiBiAHSQ0AC0MAAIA/IAgQACABs5UgBZKRlf0TIQhBACEGA0AgAiAGaiACIA' +
  'Zq/QAEACAJ/eUBIAj95gEgBCAGav0ABAD95gEgBCAHaiAGav0ABAD95AH9CwQAIAZBEGoiBiAHSQ0ACyACIAdqIQIgAyAHaiEDIABBAWsiAA0ACwulAgED' +
  'ewNAIAD9AAQAIQL9DAAAgMAAAIDAAACAwAAAgMD9DAAAgEAAAIBAAACAQAAAgEAgAv3qAf3rASEDIAMgA/3mASEEIAAgAv0MAAAAPwAAAD8AAAA/AAAAPy' +
  'AD/Qz9yMs+/cjLPv3Iyz79yMs+IAT9DKeHhL2nh4S9p4eEvaeHhL0gBP0MwYoQPMGKEDzBihA8wYoQPCAE/QwMlle6DJZXugyWV7oMlle6IAT9DCYrTDgm' +
  'K0w4JitMOCYrTDggBP0MHLLatRyy2rUcstq1HLLatSAE/Qw3H8gyNx/IMjcfyDI3H8gy/eYB/eQB/eYB/eQB/eYB/eQB/eYB/eQB/eYB/eQB/eYB/eQB/e' +
  'YB/eQB/eYB/QsEACAAQRBqIgAgAUkNAAsL9wEBAXv9DAAA/MIAAPzCAAD8wgAA/MIgAP0MO6q4PzuquD87qrg/O6q4P/3mAf3rASEAIAD9aiEBIAAgAf3l' +
  'ASEAIAH9+AH9DH8AAAB/AAAAfwAAAH8AAAD9rgFBF/2rAf0MAACAPwAAgD8AAIA/AACAPyAA/QwYcjE/GHIxPxhyMT8YcjE/IAD9DPD9dT7w/XU+8P11Pv' +
  'D9dT4gAP0MR1hjPUdYYz1HWGM9R1hjPSAA/QxclR08XJUdPFyVHTxclR08IAD9DCPErjojxK46I8SuOiPErjr95gH95AH95gH95AH95gH95AH95gH95AH9' +
  '5gH95AH95gEL1gMCA38GewNA/QwAAAAAAAAAAAAAAAAAAAAAIQn9DAAAAAAAAAAAAAAAAAAAAAAhCv0MAAAAAAAAAAAAAAAAAAAAACEL/QwAAAAAAAAAAA' +
  'AAAAAAAAAAIQxBACEHIAEgBWohBgNAIAAgB2r9CQIAIQggCSAIIAb9AAQA/eYB/eQBIQkgCiAIIAb9AAQQ/eYB/eQBIQogCyAIIAb9AAQg/eYB/eQBIQsg' +
  'DCAIIAb9AAQw/eYB/eQBIQwgBiACaiEGIAdBBGoiB0GAAUkNAAsgBCAFaiAJ/QsEACAEIAVqIAr9CwQQIAQgBWogC/0LBCAgBCAFaiAM/QsEMCAFQcAAai' +
  'IFIAJJDQALIANBAnQhBQJAA0AgBSACTw0BIAQgBWpDyvJJ8TgCACAFQQRqIQUMAAsL/QzK8knxyvJJ8crySfHK8knxIQ1BACEFA0AgDSAEIAVq/QAEAP3r' +
  'ASENIAVBEGoiBSACSQ0ACyANEAH9EyEN/QwAAAAAAAAAAAAAAAAAAAAAIQlBACEFA0D9DPMENT7zBDU+8wQ1PvMENT4gBCAFav0ABAAgDf3lAf3mARAHIQ' +
  'ggBCAFaiAI/QsEACAJIAj95AEhCSAFQRBqIgUgAkkNAAsgCRAAC7QCAwF7AX8IeyAAIANBAnRqIQcDQCAA/QkCACEGIAggBiAB/QAEAP3mAf3kASEIIAkg' +
  'BiAB/QAEEP3mAf3kASEJIAogBiAB/QAEIP3mAf3kASEKIAsgBiAB/QAEMP3mAf3kASELIAwgBiAB/QAEQP3mAf3kASEMIA0gBiAB/QAEUP3mAf3kASENIA' +
  '4gBiAB/QAEYP3mAf3kASEOIA8gBiAB/QAEcP3mAf3kASEPIAEgAmohASAAQQRqIgAgB0kNAAtDAACAPyAElf0TIQYgBSAGIAj95gH9CwQAIAUgBiAJ/eYB' +
  '/QsEECAFIAYgCv3mAf0LBCAgBSAGIAv95gH9CwQwIAUgBiAM/eYB/QsEQCAFIAYgDf3mAf0LBFAgBSAGIA795gH9CwRgIAUgBiAP/eYB/QsEcAvRAQEIfy' +
  'ACQQJ0IQcgB0EDbCEIIAFBAnRBP2pBQHEhCSAEIAlBBXRqIQoDQEEAIQsDQCADIAsgCGxqIAcgBmpqIQ1BACEMA0AgBCAMIAlsIAtBAnRqaiANIAxBAnRq' +
  'KgIAOAIAIAxBAWoiDEEgSQ0ACyALQQFqIgsgAUkNAAtBACELA0AgCiADIAZqIAdBAXRqIAggASADIAsgCGxqIAZqIAQgCSABIAoQCCAFIAsgB2xqIAZqEA' +
  'kgC0EBaiILIABJDQALIAZBgAFqIgYgB0kNAAsL';
const relaxedBytes =
  'AGFzbQEAAAABKwVgAXsBfWACf3sBe2AFf39/f38AYAh/f39/f39/fwBgCX9/f39/f39/fwACEgEGa2VybmVsBm1lbW9yeQIAAQMGBQABAgMEBxcCCHF1YW' +
  '50aXplAAIIbXVsdGlwbHkABAqfCQUZACAA/R8AIAD9HwGXIAD9HwIgAP0fA5eXCxIAIAD9AAQAIAH95gH9av34AQugAgQCfwJ7AX0FewNAIAIgAUECdGoh' +
  'BiACIQX9DAAAAAAAAAAAAAAAAAAAAAAhBwNAIAcgBf0ABAD94AH96wEhByAFQRBqIQUgBSAGSQ0ACyAHEAAhCSAEIAlDAAD+QpU4AgBDAAD+QiAJlf0TIQ' +
  'j9DAAAAAAAAAAAAAAAAAAAAAAhCgNAIAIgCBABIQsgAkEQaiAIEAEhDCACQSBqIAgQASENIAJBMGogCBABIQ4gCiALIAz9rgEgDSAO/a4B/a4B/a4BIQog' +
  'AyALIAz9hQEgDSAO/YUB/WX9CwQAIANBEGohAyACQcAAaiICIAZJDQALIARBQCAK/RsAIAr9GwFqIAr9GwIgCv0bA2pqbDYCBCAEQQhqIQQgAEEBayIADQ' +
  'ALC9wFAgZ/C3sgASEJIAkgAGohCiAKIABqIQsgCyAAaiEMIAIgAEECdGohDSANIQggA/0JAgQiFSERIAP9CQIMIhYhEiAD/QkCFCIXIRMgA/0JAhwiGCEU' +
  'A0AgAv0ABAAhDiAN/QAEACEPIAn9CQIAIRAgECAOIBH9kwIhESAQIA8gFf2TAiEVIAr9CQIAIRAgECAOIBL9kwIhEiAQIA8gFv2TAiEWIAv9CQIAIRAgEC' +
  'AOIBP9kwIhEyAQIA8gF/2TAiEXIAz9CQIAIRAgECAOIBT9kwIhFCAQIA8gGP2TAiEYIAL9AAQQIQ4gDf0ABBAhDyAJ/QkCBCEQIBAgDiAR/ZMCIREgECAP' +
  'IBX9kwIhFSAK/QkCBCEQIBAgDiAS/ZMCIRIgECAPIBb9kwIhFiAL/QkCBCEQIBAgDiAT/ZMCIRMgECAPIBf9kwIhFyAM/QkCBCEQIBAgDiAU/ZMCIRQgEC' +
  'APIBj9kwIhGCAJQQhqIQkgCkEIaiEKIAtBCGohCyAMQQhqIQwgDUEgaiENIAJBIGoiAiAISQ0ACyAD/QkCACEQIAYgBf0ABAAgEf36ASAQIAT9AAQA/eYB' +
  '/eYB/eQB/QsEACAGIAX9AAQQIBX9+gEgECAE/QAEEP3mAf3mAf3kAf0LBBAgBiAHaiEGIAP9CQIIIRAgBiAF/QAEACAS/foBIBAgBP0ABAD95gH95gH95A' +
  'H9CwQAIAYgBf0ABBAgFv36ASAQIAT9AAQQ/eYB/eYB/eQB/QsEECAGIAdqIQYgA/0JAhAhECAGIAX9AAQAIBP9+gEgECAE/QAEAP3mAf3mAf3kAf0LBAAg' +
  'BiAF/QAEECAX/foBIBAgBP0ABBD95gH95gH95AH9CwQQIAYgB2ohBiAD/QkCGCEQIAYgBf0ABAAgFP36ASAQIAT9AAQA/eYB/eYB/eQB/QsEACAGIAX9AA' +
  'QQIBj9+gEgECAE/QAEEP3mAf3mAf3kAf0LBBALcAEDfyACQQJ0IQoDQEEAIQkDQCABIAMgCSABbGogBSAEIAlBA3RqIAYgByAIIAkgCmxqIAoQAyAJQQRq' +
  'IgkgAEkNAAsgBSABQQN0aiEFIAZBIGohBiAHQSBqIQcgCEEgaiEIIAtBCGoiCyACSQ0ACws=';

/** All numbers are offsets in the memory, and counts. */
interface KernelModule {
  quantize(rows: number, width: number, from: number, to: number, scales: number): void;
  multiply(
    rows: number,
    width: number,
    height: number,
    from: number,
    scales: number,
    weights: number,
    factors: number,
    bias: number,
    to: number,
  ): void;
  normalize(rows: number, width: number, to: number, added: number, gamma: number, epsilon: number): void;
  gelu(at: number, end: number): void;
  attend(queries: number, tokens: number, width: number, from: number, scratch: number, to: number): void;
}

export interface Kernel extends KernelModule {
  /** Both return the offset. */
  reserve(bytes: number): number;
  put(bytes: Uint8Array): number;
  /** Rows of 7-bit weights, in the order in which the module reads them. */
  putWeights(rows: Uint8Array, width: number): number;
  floats(at: number): Float32Array;
}

/** The part of the global WebAssembly that is used; Node's types do not declare it. */
declare const WebAssembly: {
  validate(bytes: Uint8Array): boolean;
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports?: object) => { exports: unknown };
};

const page = 65_536;
const alignment = 16;
/** Numbers of a weight row that are stored together, of four rows each. */
const pairs = { plain: 2, relaxed: 4 };

export function openKernel(isRelaxed = hasRelaxed()): Kernel {
  const module = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(kernelBytes, 'base64')))
    .exports as KernelModule & { memory: { buffer: ArrayBuffer; grow(pages: number): number } };
  const { memory } = module;
  let next = 0;
  const reserve = (bytes: number) => {
    const at = next;
    next += Math.ceil(bytes / alignment) * alignment;
    const missing = next - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / page));
    return at;
  };
  const put = (bytes: Uint8Array) => {
    const at = reserve(bytes.length);
    new Uint8Array(memory.buffer).set(bytes, at);
    return at;
  };
  const products = isRelaxed
    ? new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(relaxedBytes, 'base64')), { kernel: { memory } })
        .exports
    : {};
  return {
    ...module,
    ...(products as object),
    reserve,
    put,
    putWeights: (rows, width) => put(isRelaxed ? packFours(rows, width) : packTwos(rows, width)),
    floats: (at) => new Float32Array(memory.buffer, at),
  };
}

export function hasRelaxed(): boolean {
  return WebAssembly.validate(Buffer.from(relaxedBytes, 'base64'));
}

/** Two numbers of each of four rows, then the next two. */
function packTwos(rows: Uint8Array, width: number): Uint8Array {
  return pack(new Uint16Array(rows.buffer), width / pairs.plain);
}

/** Four at a time, plus 64: the numbers of a word are added without carrying from one to the next. */
function packFours(rows: Uint8Array, width: number): Uint8Array {
  const words = new Uint32Array(rows.buffer);
  const shifted = words.map((word) => ((word & 0x7f7f7f7f) + 0x40404040) ^ (word & 0x80808080));
  return pack(shifted, width / pairs.relaxed);
}

function pack(words: Uint16Array | Uint32Array, columns: number): Uint8Array {
  const packed = words.slice();
  let to = 0;
  for (let row = 0; row < words.length; row += 4 * columns) {
    for (let column = 0; column < columns; column++) {
      for (let k = 0; k < 4; k++) packed[to++] = words[row + k * columns + column] as number;
    }
  }
  return new Uint8Array(packed.buffer);
}
