import { readSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/** The directory at the end of a snapshot file: the position of each object. */
export interface SnapshotDirectory {
  readonly format: 1;
  readonly identity: string;
  /** In milliseconds since 1970. */
  readonly savedAt: number;
  readonly scopes: readonly SavedScope[];
}

/** The objects of one scope, in the order of the file, separated by commas. */
export interface SavedScope {
  readonly scope: string;
  readonly resourceVersion: string;
  /** The position of the first object. */
  readonly begin: number;
  readonly keys: readonly string[];
  /** The length of each object in bytes. */
  readonly lengths: readonly number[];
  /** The CRC-32 of each. */
  readonly checksums: readonly number[];
}

/** A part of a file, and its CRC-32. */
export interface Place {
  readonly at: number;
  readonly length: number;
  readonly checksum: number;
}

/** Reads a part of a file. @throws Error when the file ends before. */
export function readAt(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let read = 0;
  while (read < length) {
    const more = readSync(file, bytes, read, length - read, at + read);
    if (more === 0) throw new Error('it is shorter than it was');
    read += more;
  }
  return bytes;
}

/** The last line: the position of the directory, and its checksum. */
const lastLine = /^rx-informer snapshot 1 ([0-9a-f]{12}) ([0-9a-f]{8})\n$/;

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

/** The bytes of a snapshot file: the objects, the directory, and a line of fixed length with the position of the directory. */
export const snapshotFormat = {
  lastLineLength: 45,

  lastLine(at: number, directory: Uint8Array): string {
    return `rx-informer snapshot 1 ${hex(at, 12)} ${hex(crc32(directory), 8)}\n`;
  },

  /**
   * The position of the directory, and its checksum.
   *
   * @throws Error when the line is invalid.
   */
  parseLastLine(line: string): { readonly at: number; readonly checksum: number } {
    const [, at = '', checksum = ''] = lastLine.exec(line) ?? [];
    if (at === '') throw new Error('it does not end as a snapshot does');
    return { at: parseInt(at, 16), checksum: parseInt(checksum, 16) };
  },

  /**
   * @throws Error when the checksum does not match.
   */
  parseDirectory(bytes: Uint8Array, checksum: number): SnapshotDirectory {
    if (crc32(bytes) !== checksum) throw new Error('the checksum of its directory is another one');
    return JSON.parse(Buffer.from(bytes).toString('utf8')) as SnapshotDirectory;
  },
};
