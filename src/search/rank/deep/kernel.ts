// The memory and the functions of the SIMD module of the deep ranker (kernel.wat). If the engine has relaxed SIMD, a second module
// (relaxed.wat) multiplies faster; the results are the same.
const kernelBytes =
  'AGFzbQEAAAABUwpgAXsBfWAFf39/f38AYAh/f39/f39/fwBgCX9/f39/f39/fwBgBn9/f39/fQBgAn9/AGABewF7YAV/f39/fwF9YAZ/f39/fX8AYAZ/f3' +
  '9/f38AAwwLAAABAgMEBQYHCAkFAwEAAQc8BgZtZW1vcnkCAAhxdWFudGl6ZQACCG11bHRpcGx5AAQJbm9ybWFsaXplAAUEZ2VsdQAGBmF0dGVuZAAKCrsX' +
  'CxkAIAD9HwAgAP0fAZIgAP0fAiAA/R8DkpILGQAgAP0fACAA/R8BlyAA/R8CIAD9HwOXlwu+AQMCfwJ7AX0DQCACIAFBAnRqIQYgAiEF/QwAAAAAAAAAAA' +
  'AAAAAAAAAAIQcDQCAHIAX9AAQA/eAB/esBIQcgBUEQaiEFIAUgBkkNAAsgBxABIQkgBCAJQwAA/kKVOAIAQwAA/kIgCZX9EyEIA0AgAyAC/QAEACAI/eYB' +
  '/Wr9+AEgAv0ABBAgCP3mAf1q/fgB/YUB/QsEACADQRBqIQMgAkEgaiECIAIgBkkNAAsgBEEIaiEEIABBAWsiAA0ACwvvBQIGfwt7IAEhCSAJIABBAXRqIQ' +
  'ogCiAAQQF0aiELIAsgAEEBdGohDCACIABBAnRqIQ0gDSEIA0AgAv0BAwAhDiAN/QEDACEPIAn9CQIAIRAgDiAQ/boBIBH9rgEhESAPIBD9ugEgFf2uASEV' +
  'IAr9CQIAIRAgDiAQ/boBIBL9rgEhEiAPIBD9ugEgFv2uASEWIAv9CQIAIRAgDiAQ/boBIBP9rgEhEyAPIBD9ugEgF/2uASEXIAz9CQIAIRAgDiAQ/boBIB' +
  'T9rgEhFCAPIBD9ugEgGP2uASEYIAL9AQMIIQ4gDf0BAwghDyAJ/QkCBCEQIA4gEP26ASAR/a4BIREgDyAQ/boBIBX9rgEhFSAK/QkCBCEQIA4gEP26ASAS' +
  '/a4BIRIgDyAQ/boBIBb9rgEhFiAL/QkCBCEQIA4gEP26ASAT/a4BIRMgDyAQ/boBIBf9rgEhFyAM/QkCBCEQIA4gEP26ASAU/a4BIRQgDyAQ/boBIBj9rg' +
  'EhGCACQRBqIQIgDUEQaiENIAlBCGohCSAKQQhqIQogC0EIaiELIAxBCGohDCACIAhJDQALIAP9CQIAIRAgBiAF/QAEACAR/foBIBAgBP0ABAD95gH95gH9' +
  '5AH9CwQAIAYgBf0ABBAgFf36ASAQIAT9AAQQ/eYB/eYB/eQB/QsEECAGIAdqIQYgA/0JAgghECAGIAX9AAQAIBL9+gEgECAE/QAEAP3mAf3mAf3kAf0LBA' +
  'AgBiAF/QAEECAW/foBIBAgBP0ABBD95gH95gH95AH9CwQQIAYgB2ohBiAD/QkCECEQIAYgBf0ABAAgE/36ASAQIAT9AAQA/eYB/eYB/eQB/QsEACAGIAX9' +
  'AAQQIBf9+gEgECAE/QAEEP3mAf3mAf3kAf0LBBAgBiAHaiEGIAP9CQIYIRAgBiAF/QAEACAU/foBIBAgBP0ABAD95gH95gH95AH9CwQAIAYgBf0ABBAgGP' +
  '36ASAQIAT9AAQQ/eYB/eYB/eQB/QsEEAtzAQN/IAJBAnQhCgNAQQAhCQNAIAEgAyAJIAFBAXRsaiAFIAQgCUEDdGogBiAHIAggCSAKbGogChADIAlBBGoi' +
  'CSAASQ0ACyAFIAFBA3RqIQUgBkEgaiEGIAdBIGohByAIQSBqIQggC0EIaiILIAJJDQALC6oCAgJ/A3sgAUECdCEHA0D9DAAAAAAAAAAAAAAAAAAAAAAhCE' +
  'EAIQYDQCACIAZq/QAEACADIAZq/QAEAP3kASEKIAIgBmogCv0LBAAgCCAK/eQBIQggBkEQaiIGIAdJDQALIAgQACABs5X9EyEJ/QwAAAAAAAAAAAAAAAAA' +
  'AAAAIQhBACEGA0AgAiAGav0ABAAgCf3lASEKIAggCiAK/eYB/eQBIQggBkEQaiIGIAdJDQALQwAAgD8gCBAAIAGzlSAFkpGV/RMhCEEAIQYDQCACIAZqIA' +
  'IgBmr9AAQAIAn95QEgCP3mASAEIAZq/QAEAP3mASAEIAdqIAZq/QAEAP3kAf0LBAAgBkEQaiIGIAdJDQALIAIgB2ohAiADIAdqIQMgAEEBayIADQALC9kC' +
  'AQN7A0AgAP0ABAAhAv0MAACIwAAAiMAAAIjAAACIwP0MAACIQAAAiEAAAIhAAACIQCAC/eoB/esBIQMgAyAD/eYBIQQgACAC/QwAAAA/AAAAPwAAAD8AAA' +
  'A/IAP9DF8zzD5fM8w+XzPMPl8zzD4gBP0MjJaHvYyWh72Mloe9jJaHvSAE/QzBXB88wVwfPMFcHzzBXB88IAT9DEy3jbpMt426TLeNuky3jbogBP0MVkG6' +
  'OFZBujhWQbo4VkG6OCAE/QwAtK22ALSttgC0rbYAtK22IAT9DGDsVjRg7FY0YOxWNGDsVjQgBP0MTKucsUyrnLFMq5yxTKucsSAE/QzqUkou6lJKLupSSi' +
  '7qUkou/eYB/eQB/eYB/eQB/eYB/eQB/eYB/eQB/eYB/eQB/eYB/eQB/eYB/eQB/eYB/eQB/eYB/eQB/eYB/QsEACAAQRBqIgAgAUkNAAsL9wEBAXv9DAAA' +
  '/MIAAPzCAAD8wgAA/MIgAP0MO6q4PzuquD87qrg/O6q4P/3mAf3rASEAIAD9aiEBIAAgAf3lASEAIAH9+AH9DH8AAAB/AAAAfwAAAH8AAAD9rgFBF/2rAf' +
  '0MAACAPwAAgD8AAIA/AACAPyAA/QwYcjE/GHIxPxhyMT8YcjE/IAD9DPD9dT7w/XU+8P11PvD9dT4gAP0MR1hjPUdYYz1HWGM9R1hjPSAA/QxclR08XJUd' +
  'PFyVHTxclR08IAD9DCPErjojxK46I8SuOiPErjr95gH95AH95gH95AH95gH95AH95gH95AH95gH95AH95gEL1gMCA38GewNA/QwAAAAAAAAAAAAAAAAAAA' +
  'AAIQn9DAAAAAAAAAAAAAAAAAAAAAAhCv0MAAAAAAAAAAAAAAAAAAAAACEL/QwAAAAAAAAAAAAAAAAAAAAAIQxBACEHIAEgBWohBgNAIAAgB2r9CQIAIQgg' +
  'CSAIIAb9AAQA/eYB/eQBIQkgCiAIIAb9AAQQ/eYB/eQBIQogCyAIIAb9AAQg/eYB/eQBIQsgDCAIIAb9AAQw/eYB/eQBIQwgBiACaiEGIAdBBGoiB0GAAU' +
  'kNAAsgBCAFaiAJ/QsEACAEIAVqIAr9CwQQIAQgBWogC/0LBCAgBCAFaiAM/QsEMCAFQcAAaiIFIAJJDQALIANBAnQhBQJAA0AgBSACTw0BIAQgBWpDyvJJ' +
  '8TgCACAFQQRqIQUMAAsL/QzK8knxyvJJ8crySfHK8knxIQ1BACEFA0AgDSAEIAVq/QAEAP3rASENIAVBEGoiBSACSQ0ACyANEAH9EyEN/QwAAAAAAAAAAA' +
  'AAAAAAAAAAIQlBACEFA0D9DPMENT7zBDU+8wQ1PvMENT4gBCAFav0ABAAgDf3lAf3mARAHIQggBCAFaiAI/QsEACAJIAj95AEhCSAFQRBqIgUgAkkNAAsg' +
  'CRAAC7QCAwF7AX8IeyAAIANBAnRqIQcDQCAA/QkCACEGIAggBiAB/QAEAP3mAf3kASEIIAkgBiAB/QAEEP3mAf3kASEJIAogBiAB/QAEIP3mAf3kASEKIA' +
  'sgBiAB/QAEMP3mAf3kASELIAwgBiAB/QAEQP3mAf3kASEMIA0gBiAB/QAEUP3mAf3kASENIA4gBiAB/QAEYP3mAf3kASEOIA8gBiAB/QAEcP3mAf3kASEP' +
  'IAEgAmohASAAQQRqIgAgB0kNAAtDAACAPyAElf0TIQYgBSAGIAj95gH9CwQAIAUgBiAJ/eYB/QsEECAFIAYgCv3mAf0LBCAgBSAGIAv95gH9CwQwIAUgBi' +
  'AM/eYB/QsEQCAFIAYgDf3mAf0LBFAgBSAGIA795gH9CwRgIAUgBiAP/eYB/QsEcAvRAQEIfyACQQJ0IQcgB0EDbCEIIAFBAnRBP2pBQHEhCSAEIAlBBXRq' +
  'IQoDQEEAIQsDQCADIAsgCGxqIAcgBmpqIQ1BACEMA0AgBCAMIAlsIAtBAnRqaiANIAxBAnRqKgIAOAIAIAxBAWoiDEEgSQ0ACyALQQFqIgsgAUkNAAtBAC' +
  'ELA0AgCiADIAZqIAdBAXRqIAggASADIAsgCGxqIAZqIAQgCSABIAoQCCAFIAsgB2xqIAZqEAkgC0EBaiILIABJDQALIAZBgAFqIgYgB0kNAAsL';
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

/** Before Node 22 it needs a flag, and the first products are wrong. */
export function hasRelaxed(): boolean {
  const [major] = process.versions.node.split('.');
  return Number(major) >= 22 && WebAssembly.validate(Buffer.from(relaxedBytes, 'base64'));
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
