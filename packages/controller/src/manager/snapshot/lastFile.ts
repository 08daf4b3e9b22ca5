import { closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs';
import { crc32 } from 'node:zlib';
import { type Place, readAt } from './snapshotFormat.js';

/** The number of bytes to read at once while objects are read in the order of the file. */
const aheadBytes = 256 * 1024;

/** The JSON of an object, and its CRC-32. */
export interface SavedJson {
  readonly bytes: Uint8Array;
  readonly checksum: number;
}

/** Reads the JSON of objects from the last file. */
export class Copies {
  private readonly file: number;
  private readonly places: WeakMap<object, Place>;
  private readonly size: number;
  /** The bytes read last, and their position. */
  private bytes: Uint8Array = new Uint8Array();
  private at = 0;

  constructor(file: number, places: WeakMap<object, Place>, size: number) {
    this.file = file;
    this.places = places;
    this.size = size;
  }

  /** The JSON of an object; undefined if the file does not contain it, or if the checksum is wrong. */
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

/** The snapshot file that was written or restored last, with the position of each object in it. Objects are held weakly. */
export class LastFile {
  private readonly places = new WeakMap<object, Place>();
  private stats: Pick<Stats, 'ino' | 'size' | 'mtimeMs'> | undefined;

  /** Remembers the position of an object, if it is frozen. */
  note(object: object, place: Place): void {
    if (Object.isFrozen(object)) this.places.set(object, place);
  }

  is(stats: Stats): void {
    const { ino, size, mtimeMs } = stats;
    this.stats = { ino, size, mtimeMs };
  }

  /** Opens the file at this path; undefined if there is no file, or another one. */
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
