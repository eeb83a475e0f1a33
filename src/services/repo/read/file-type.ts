// Detects the type of a binary file from its first bytes.

export interface FileType {
  mime: string;
  name: string;
}

interface Signature extends FileType {
  /** Bytes as Latin-1. */
  begins: string;
  at?: number;
}

const signatures: Signature[] = [
  { begins: '\x89PNG\r\n\x1a\n', mime: 'image/png', name: 'PNG image' },
  { begins: '\xff\xd8\xff', mime: 'image/jpeg', name: 'JPEG image' },
  { begins: 'GIF8', mime: 'image/gif', name: 'GIF image' },
  { begins: 'WEBP', at: 8, mime: 'image/webp', name: 'WebP image' },
  { begins: 'ftypavif', at: 4, mime: 'image/avif', name: 'AVIF image' },
  { begins: 'BM', mime: 'image/bmp', name: 'BMP image' },
  { begins: '\0\0\x01\0', mime: 'image/x-icon', name: 'icon' },
  { begins: 'II*\0', mime: 'image/tiff', name: 'TIFF image' },
  { begins: 'MM\0*', mime: 'image/tiff', name: 'TIFF image' },
  { begins: '%PDF-', mime: 'application/pdf', name: 'PDF document' },
  { begins: 'PK\x03\x04', mime: 'application/zip', name: 'ZIP archive, or a document or package made of one' },
  { begins: '\x1f\x8b', mime: 'application/gzip', name: 'gzip archive' },
  { begins: 'BZh', mime: 'application/x-bzip2', name: 'bzip2 archive' },
  { begins: '\xfd7zXZ\0', mime: 'application/x-xz', name: 'xz archive' },
  { begins: '\x28\xb5\x2f\xfd', mime: 'application/zstd', name: 'zstd archive' },
  { begins: '7z\xbc\xaf\x27\x1c', mime: 'application/x-7z-compressed', name: '7z archive' },
  { begins: 'ustar', at: 257, mime: 'application/x-tar', name: 'tar archive' },
  { begins: '\x7fELF', mime: 'application/x-elf', name: 'program or library (ELF)' },
  { begins: 'MZ', mime: 'application/vnd.microsoft.portable-executable', name: 'program or library (Windows)' },
  { begins: '\xcf\xfa\xed\xfe', mime: 'application/x-mach-binary', name: 'program or library (macOS)' },
  { begins: '\xca\xfe\xba\xbe', mime: 'application/java-vm', name: 'Java class or macOS program' },
  { begins: '\0asm', mime: 'application/wasm', name: 'WebAssembly module' },
  { begins: 'SQLite format 3\0', mime: 'application/vnd.sqlite3', name: 'SQLite database' },
  { begins: 'wOFF', mime: 'font/woff', name: 'font' },
  { begins: 'wOF2', mime: 'font/woff2', name: 'font' },
  { begins: '\0\x01\0\0\0', mime: 'font/ttf', name: 'font' },
  { begins: 'OTTO', mime: 'font/otf', name: 'font' },
  { begins: 'ID3', mime: 'audio/mpeg', name: 'MP3 audio' },
  { begins: 'OggS', mime: 'audio/ogg', name: 'Ogg audio' },
  { begins: 'fLaC', mime: 'audio/flac', name: 'FLAC audio' },
  { begins: 'WAVE', at: 8, mime: 'audio/wav', name: 'WAV audio' },
  { begins: 'ftyp', at: 4, mime: 'video/mp4', name: 'MP4 video' },
  { begins: '\x1a\x45\xdf\xa3', mime: 'video/webm', name: 'WebM or Matroska video' },
];

const unknown: FileType = { mime: 'application/octet-stream', name: 'binary file' };
/** Image types that every client shows. */
const shown = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

export function typeOf(head: Buffer): FileType {
  const text = head.toString('latin1', 0, 300);
  const { mime, name } = signatures.find(({ begins, at = 0 }) => text.startsWith(begins, at)) ?? unknown;
  return { mime, name };
}

export function isShownImage(mime: string): boolean {
  return shown.has(mime);
}

/** Images, sounds, films and PDF: a client can open them as a resource. Archives and databases are not sent. */
export function isMedia(mime: string): boolean {
  return /^(?:image|audio|video)\/|^application\/pdf$/.test(mime);
}
