// The documents of one term in one segment: ascending numbers and the term's frequency in each, as variable-length
// differences. A frequent term of a million documents takes one or two megabytes, read at once and scored in a tight loop.

export interface Posting {
  documents: Uint32Array;
  frequencies: Uint8Array;
}

export function encodePosting(documents: ArrayLike<number>, frequencies: ArrayLike<number>): Uint8Array {
  const bytes = new Uint8Array(documents.length * 6);
  let at = 0;
  let last = 0;
  for (let index = 0; index < documents.length; index++) {
    let gap = (documents[index] as number) - last;
    last = documents[index] as number;
    while (gap > 127) {
      bytes[at++] = (gap & 127) | 128;
      gap >>>= 7;
    }
    bytes[at++] = gap;
    bytes[at++] = Math.min(frequencies[index] as number, 255);
  }
  return bytes.slice(0, at);
}

export function decodePosting(bytes: Uint8Array, count: number): Posting {
  const documents = new Uint32Array(count);
  const frequencies = new Uint8Array(count);
  let at = 0;
  let last = 0;
  for (let index = 0; index < count; index++) {
    let gap = 0;
    let shift = 0;
    let byte = bytes[at++] as number;
    while (byte > 127) {
      gap |= (byte & 127) << shift;
      shift += 7;
      byte = bytes[at++] as number;
    }
    last += gap | (byte << shift);
    documents[index] = last;
    frequencies[index] = bytes[at++] as number;
  }
  return { documents, frequencies };
}

/** Frequency of the term in a document; 0 if it does not occur. */
export function frequencyOf(posting: Posting | undefined, document: number): number {
  if (!posting) return 0;
  const { documents, frequencies } = posting;
  let low = 0;
  let high = documents.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((documents[middle] as number) < document) low = middle + 1;
    else high = middle;
  }
  return documents[low] === document ? (frequencies[low] as number) : 0;
}
