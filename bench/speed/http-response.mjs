// Just enough HTTP to know where a response ends: status, Content-Length or chunked. Bodies are skipped unless kept.

const headEnd = Buffer.from('\r\n\r\n');

export class HttpResponseReader {
  /** @type {Buffer | undefined} */ #rest;
  /** @type {'head' | 'sized' | 'chunk-size' | 'chunk'} */ #state = 'head';
  /** Bytes of the body, or of the chunk and its line end, still to come. */
  #missing = 0;
  #isLastChunk = false;
  #status = 0;
  #head = '';
  /** @type {Buffer[] | undefined} */ #kept;
  #onResponse;

  /**
   * @param {(status: number, head: string, body: string) => void} onResponse
   * @param {{ keepBody?: boolean }} [options]
   */
  constructor(onResponse, { keepBody = false } = {}) {
    this.#onResponse = onResponse;
    if (keepBody) this.#kept = [];
  }

  /** @param {Buffer} chunk */
  push(chunk) {
    let data = this.#rest ? Buffer.concat([this.#rest, chunk]) : chunk;
    this.#rest = undefined;
    while (data.length > 0) {
      const used = this.#readPart(data);
      if (used === 0) {
        // Copied: the load generator reads into the same memory again.
        this.#rest = Buffer.from(data);
        return;
      }
      data = data.subarray(used);
    }
  }

  /** @param {Buffer} data @returns {number} bytes used, 0 when more are needed */
  #readPart(data) {
    if (this.#state === 'head') return this.#readHead(data);
    if (this.#state === 'chunk-size') return this.#readChunkSize(data);
    return this.#readBody(data);
  }

  /** @param {Buffer} data */
  #readHead(data) {
    const end = data.indexOf(headEnd);
    if (end < 0) return 0;
    this.#head = data.toString('latin1', 0, end);
    const lower = this.#head.toLowerCase();
    this.#status = Number(this.#head.slice(9, 12));
    const length = lower.indexOf('\r\ncontent-length:');
    if (length < 0 && lower.includes('\r\ntransfer-encoding: chunked')) this.#state = 'chunk-size';
    else {
      this.#state = 'sized';
      this.#missing = length < 0 ? 0 : Number.parseInt(this.#head.slice(length + 17), 10);
      if (this.#missing === 0) this.#finish();
    }
    return end + 4;
  }

  /** @param {Buffer} data */
  #readChunkSize(data) {
    const lineEnd = data.indexOf('\r\n');
    if (lineEnd < 0) return 0;
    const size = Number.parseInt(data.toString('latin1', 0, lineEnd), 16);
    this.#isLastChunk = size === 0;
    this.#missing = size + 2;
    this.#state = 'chunk';
    return lineEnd + 2;
  }

  /** @param {Buffer} data */
  #readBody(data) {
    const used = Math.min(data.length, this.#missing);
    if (this.#kept) {
      const lineEnd = this.#state === 'chunk' ? 2 : 0;
      this.#kept.push(Buffer.from(data.subarray(0, Math.max(0, Math.min(used, this.#missing - lineEnd)))));
    }
    this.#missing -= used;
    if (this.#missing === 0) {
      if (this.#state === 'sized' || this.#isLastChunk) this.#finish();
      else this.#state = 'chunk-size';
    }
    return used;
  }

  #finish() {
    this.#state = 'head';
    const body = this.#kept ? Buffer.concat(this.#kept).toString('utf8') : '';
    if (this.#kept) this.#kept = [];
    this.#onResponse(this.#status, this.#head, body);
  }
}
