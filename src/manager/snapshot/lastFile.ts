import { closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs';
import { crc32 } from 'node:zlib';
import { type Place, readAt } from './snapshotFormat.js';

/** How much is read at once while one object follows the other. */
const aheadBytes = 256 * 1024;

/** The JSON of an object, and its CRC-32. */
export interface SavedJson {
  readonly bytes: Uint8Array;
  readonly checksum: number;
}

/** Reads objects out of the last file. */
export class Copies {
  private readonly file: number;
  private readonly places: WeakMap<object, Place>;
  private readonly size: number;
  /** The bytes that were read last, and their position. */
  private bytes: Uint8Array = new Uint8Array();
  private at = 0;

  constructor(file: number, places: WeakMap<object, Place>, size: number) {
    this.file = file;
    this.places = places;
    this.size = size;
  }

  /** The JSON of an object; undefined where the file does not have it, or has it damaged. */
  of(object: object): SavedJson | undefined {
    const place = this.places.get(object);
    if (place === undefined) return undefined;
    const bytes = this.read(place);
    return crc32(bytes) === place.checksum ? { bytes, checksum: place.checksum } : undefined;
  }

  close(): void {
    closeSync(this.file);
  }

  private read({ at, length }: Place): Uint8Array {
    const end = this.at + this.bytes.length;
    if (at < this.at || at + length > end) {
      const isNext = at >= this.at && at <= end + aheadBytes;
      this.bytes = readAt(this.file, at, isNext ? Math.max(length, Math.min(aheadBytes, this.size - at)) : length);
      this.at = at;
    }
    return this.bytes.subarray(at - this.at, at - this.at + length);
  }
}

/** The snapshot file that was written or restored last: which objects stand where, as long as somebody has these objects. */
export class LastFile {
  private readonly places = new WeakMap<object, Place>();
  private stats: Pick<Stats, 'ino' | 'size' | 'mtimeMs'> | undefined;

  /** Notes where an object stands, if it cannot change any more. */
  note(object: object, place: Place): void {
    if (Object.isFrozen(object)) this.places.set(object, place);
  }

  is(stats: Stats): void {
    const { ino, size, mtimeMs } = stats;
    this.stats = { ino, size, mtimeMs };
  }

  /** Opens it at its path; undefined where another file stands there, or none. */
  open(path: string): Copies | undefined {
    let file: number;
    try {
      file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    } catch {
      return undefined;
    }
    const { ino, size, mtimeMs } = fstatSync(file);
    if (ino === this.stats?.ino && size === this.stats.size && mtimeMs === this.stats.mtimeMs) return new Copies(file, this.places, size);
    closeSync(file);
    return undefined;
  }
}
