import { closeSync, constants, existsSync, ftruncateSync, lstatSync, openSync, readFileSync, renameSync } from 'node:fs';
import { isJsonObject } from '../json.js';
import type { ChangeType } from './bucket.js';
import { valuesBetween, withEntry, withoutEntry, type OrderedMap } from './orderedMap.js';
import { FileLock } from './fileLock.js';
import type { StoreJournal, StoreSnapshot } from './store.js';
import { writeWhole } from './writeWhole.js';
import { storedObjectOf, type StoredContent, type StoredObject } from './storedObject.js';

const format = 'rx-informer api-server 1';
// Windows lacks this flag, and most users cannot create such links there.
const noFollow: number = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW;
const lineEnd = Buffer.from('}\n');

function header(resourceVersion: number): string {
  return `${JSON.stringify({ format, resourceVersion })}\n`;
}

// One write to the file for each change: after a crash, at most the last line is incomplete.
function line(bucketId: string, type: ChangeType, object: StoredObject): Buffer {
  const start = JSON.stringify({ bucket: bucketId, type, resourceVersion: object.resourceVersion }).slice(0, -1);
  return Buffer.concat([Buffer.from(`${start},"content":{`), object.body, lineEnd]);
}

interface Line {
  readonly bucket: string;
  readonly type: ChangeType;
  readonly resourceVersion: number;
  readonly content: StoredContent;
}

function parseLine(text: string): Line | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isJsonObject(parsed) && typeof parsed['bucket'] === 'string' ? (parsed as unknown as Line) : undefined;
  } catch {
    return undefined;
  }
}

function versionInHeader(text: string, path: string): number {
  const wrong = new Error(`Expected ${JSON.stringify(path)} to be a file that the API server wrote`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw wrong;
  }
  if (!isJsonObject(parsed) || parsed['format'] !== format || typeof parsed['resourceVersion'] !== 'number') throw wrong;
  return parsed['resourceVersion'];
}

/** A link could redirect the write to any file. */
function checkPlain(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile())
    throw new Error(`Expected ${JSON.stringify(path)} to be a plain file, got a link or a device`);
}

/**
 * The content of a file; undefined when it does not exist or is empty. An incomplete last line, left by a crash, is ignored.
 *
 * @throws Error when the file is not a journal.
 */
export function readSnapshot(path: string): StoreSnapshot | undefined {
  checkPlain(path);
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (text === '') return undefined;
  const [first = '', ...lines] = text.split('\n');
  let resourceVersion = versionInHeader(first, path);
  const roots = new Map<string, OrderedMap<StoredObject>>();
  for (const [at, raw] of lines.entries()) {
    if (raw === '') continue;
    const entry = parseLine(raw);
    if (entry === undefined) {
      if (at === lines.length - 1) break;
      throw new Error(`Expected line ${String(at + 2)} of ${JSON.stringify(path)} to be a change that the API server wrote`);
    }
    const object = storedObjectOf(entry.content, entry.resourceVersion);
    const root = roots.get(entry.bucket);
    roots.set(entry.bucket, entry.type === 'DELETED' ? withoutEntry(root, object.key) : withEntry(root, object.key, object));
    resourceVersion = Math.max(resourceVersion, entry.resourceVersion);
  }
  return { resourceVersion, roots };
}

/**
 * Persists a store in a file: its initial state, then every change. The file is rewritten at a restart, and when the changes are larger
 * than the state.
 */
export class FileJournal implements StoreJournal {
  private readonly path: string;
  private state: (() => StoreSnapshot) | undefined;
  private readonly smallest: number;
  private readonly lock: FileLock;
  private file: number | undefined;
  /** The end of the last complete line. */
  private end = 0;
  /** The size of the state, and of the changes since. */
  private stateSize = 0;
  private changesSize = 0;

  /**
   * `smallest` is the least size of the changes before the file is rewritten, in bytes.
   *
   * @throws Error when another process uses the file.
   */
  constructor(path: string, smallest: number = 64 * 1024 * 1024) {
    this.path = path;
    this.smallest = smallest;
    this.lock = new FileLock(`${path}.lock`);
  }

  /** Writes the state of a store, then appends its changes. */
  begin(state: () => StoreSnapshot): void {
    this.state = state;
    this.replace(state());
  }

  record(bucketId: string, type: ChangeType, object: StoredObject): void {
    if (this.file === undefined) return;
    const before = this.changesSize;
    const limit = Math.max(this.smallest, 3 * this.stateSize);
    this.changesSize += this.append(this.file, line(bucketId, type, object));
    // Deferred, since the store does not contain this change yet.
    if (before <= limit && this.changesSize > limit) setImmediate(() => this.rewrite());
  }

  /** The file is exchanged as a whole: when that fails, the one before goes on. */
  replace({ resourceVersion, roots }: StoreSnapshot): void {
    const fresh = `${this.path}.new`;
    checkPlain(fresh);
    checkPlain(this.path);
    const { O_CREAT, O_TRUNC, O_WRONLY } = constants;
    const file = openSync(fresh, O_CREAT | O_TRUNC | O_WRONLY | noFollow, 0o600);
    let size = 0;
    const write = (bytes: Buffer): void => {
      writeWhole(file, bytes);
      size += bytes.length;
    };
    try {
      write(Buffer.from(header(resourceVersion)));
      for (const [bucketId, root] of roots) for (const object of valuesBetween(root)) write(line(bucketId, 'ADDED', object));
      // There, an open file cannot be replaced.
      if (process.platform === 'win32') this.closeFile();
      renameSync(fresh, this.path);
    } catch (error) {
      closeSync(file);
      throw error;
    }
    this.closeFile();
    this.file = file;
    this.changesSize = 0;
    this.end = this.stateSize = size;
  }

  /** Appends a whole line, or leaves the file unchanged: a write that a client knows to be stored must be in the file. */
  private append(file: number, bytes: Buffer): number {
    try {
      writeWhole(file, bytes);
    } catch (error) {
      ftruncateSync(file, this.end);
      throw error;
    }
    this.end += bytes.length;
    return bytes.length;
  }

  private rewrite(): void {
    try {
      if (this.file !== undefined && this.state !== undefined) this.replace(this.state());
    } catch {
      // Such as a full disk: the next try is after as many changes.
      this.changesSize = 0;
    }
  }

  /** Stops recording, and releases the file. */
  close(): void {
    this.closeFile();
    this.lock.release();
  }

  private closeFile(): void {
    if (this.file !== undefined) closeSync(this.file);
    this.file = undefined;
  }
}
