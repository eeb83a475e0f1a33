// Bytes of a file as text: by their byte order mark, else as UTF-8, else as the one-byte encoding that fits any bytes.

/** So much of a file tells whether it is text. */
const looked = 8_192;

/** Nothing where it is no text. */
export function decodeText(bytes: Uint8Array): string | undefined {
  const marked = decoderOfMark(bytes);
  if (marked !== undefined) return new TextDecoder(marked).decode(bytes);
  if (isBinary(bytes.subarray(0, looked))) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function decoderOfMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** Text has no NUL, and hardly any other control characters. */
function isBinary(bytes: Uint8Array): boolean {
  let odd = 0;
  for (const byte of bytes) {
    if (byte === 0) return true;
    if (byte < 32 && (byte < 8 || byte > 13) && byte !== 27) odd++;
  }
  return odd > bytes.length / 50;
}
