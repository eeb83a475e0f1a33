// node:crypto, loaded when it is first used: importing it costs a start-up more than all of our own code.

export function loadCrypto(): typeof import('node:crypto') {
  return process.getBuiltinModule('node:crypto');
}

/** SHA-256, in hexadecimal digits. */
export function hashHex(content: string | Uint8Array): string {
  return loadCrypto().hash('sha256', content, 'hex');
}
