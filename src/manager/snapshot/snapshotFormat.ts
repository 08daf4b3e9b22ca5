import { crc32 } from 'node:zlib';

/** What stands at the end of a snapshot file: where each object is. */
export interface SnapshotDirectory {
  readonly format: 1;
  readonly identity: string;
  /** In milliseconds since 1970. */
  readonly savedAt: number;
  readonly scopes: readonly SavedScope[];
}

/** The objects of one scope, in the order in which they stand in the file, with a comma between two. */
export interface SavedScope {
  readonly scope: string;
  readonly resourceVersion: string;
  /** Where the first one begins. */
  readonly begin: number;
  readonly keys: readonly string[];
  /** How many bytes each has. */
  readonly lengths: readonly number[];
  /** The CRC-32 of each. */
  readonly checksums: readonly number[];
}

/** The last line: where the directory begins, and its checksum. */
const lastLine = /^rx-informer snapshot 1 ([0-9a-f]{12}) ([0-9a-f]{8})\n$/;

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

/** The bytes of a snapshot file: the objects, the directory, and a line of fixed length that says where the directory is. */
export const snapshotFormat = {
  lastLineLength: 45,

  lastLine(at: number, directory: Uint8Array): string {
    return `rx-informer snapshot 1 ${hex(at, 12)} ${hex(crc32(directory), 8)}\n`;
  },

  /**
   * Where the directory begins, and its checksum.
   *
   * @throws Error when the line is another one.
   */
  parseLastLine(line: string): { readonly at: number; readonly checksum: number } {
    const [, at = '', checksum = ''] = lastLine.exec(line) ?? [];
    if (at === '') throw new Error('it does not end as a snapshot does');
    return { at: parseInt(at, 16), checksum: parseInt(checksum, 16) };
  },

  /**
   * @throws Error when the bytes are other ones than were written.
   */
  parseDirectory(bytes: Uint8Array, checksum: number): SnapshotDirectory {
    if (crc32(bytes) !== checksum) throw new Error('the checksum of its directory is another one');
    return JSON.parse(Buffer.from(bytes).toString('utf8')) as SnapshotDirectory;
  },
};
