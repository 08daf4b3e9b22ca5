import { defer, of } from 'rxjs';
import type { SavedSnapshot, SnapshotStore, CacheSnapshot } from 'rx-informer/pipeline';
import { type SnapshotScope, dateOf, expectArgument, jsonTextOf, monotonicScheduler, rules } from 'rx-informer/internal';
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { LastFile, type Copies, type SavedJson } from './lastFile.js';
import { type Place, readAt, type SavedScope, type SnapshotDirectory, snapshotFormat } from './snapshotFormat.js';
import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

/** How long objects are serialised per task of the event loop, in milliseconds. */
const sliceMs = 8;
const comma = Buffer.from(',');
const host = crc32(hostname()).toString(16);
/** The suffix of temporary files: host, process, number. */
const temporaryEnd = /^(?:([0-9a-f]+)-(\d+)-)?[0-9a-f]{12}\.tmp$/;
/** A temporary file of another host that has not been written to for this time counts as left over. */
const leftoverMs = 10 * 60_000;
/** The files that this process is writing. */
const writing = new Set<string>();

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether a temporary file was left by a killed process. For another host, only its age decides. */
async function isLeftover(file: string, [, owner, pid]: readonly string[]): Promise<boolean> {
  if (writing.has(file)) return false;
  if (owner === host) return Number(pid) === process.pid || !isRunning(Number(pid));
  return dateOf(monotonicScheduler) - (await stat(file)).mtimeMs > leftoverMs;
}

class Writing {
  private readonly file: FileHandle;
  /** Reads the bytes of objects that are unchanged since the last file. */
  private readonly copies: Copies | undefined;
  private parts: Uint8Array[] = [];
  private begun = monotonicScheduler.now();
  length = 0;

  constructor(file: FileHandle, copies: Copies | undefined) {
    this.file = file;
    this.copies = copies;
  }

  /** The JSON of an object. */
  jsonOf(object: object): SavedJson {
    const copy = this.copies?.of(object);
    if (copy !== undefined) return copy;
    const bytes = Buffer.from(jsonTextOf(object));
    return { bytes, checksum: crc32(bytes) };
  }

  add(bytes: Uint8Array): void {
    this.parts.push(bytes);
    this.length += bytes.length;
  }

  /** Yields to the event loop if the slice is over. */
  async breathe(): Promise<void> {
    if (monotonicScheduler.now() - this.begun < sliceMs) return;
    await this.flush();
    await setImmediate();
    this.begun = monotonicScheduler.now();
  }

  async flush(): Promise<void> {
    const bytes = Buffer.concat(this.parts);
    this.parts = [];
    // `appendFile` writes all bytes; `write` may write only some.
    await this.file.appendFile(bytes);
  }
}

async function writeScope(
  writing: Writing,
  scope: string,
  { resourceVersion, objects }: SnapshotScope,
  written: LastFile,
): Promise<SavedScope> {
  const begin = writing.length;
  const keys: string[] = [];
  const lengths: number[] = [];
  const checksums: number[] = [];
  for (const [key, object] of objects) {
    if (keys.length > 0) writing.add(comma);
    const { bytes, checksum } = writing.jsonOf(object);
    keys.push(key);
    lengths.push(bytes.length);
    checksums.push(checksum);
    written.note(object, { at: writing.length, length: bytes.length, checksum });
    writing.add(bytes);
    await writing.breathe();
  }
  return { scope, resourceVersion, begin, keys, lengths, checksums };
}

async function write(file: FileHandle, { identity, scopes }: CacheSnapshot, copies: Copies | undefined): Promise<LastFile> {
  const writing = new Writing(file, copies);
  const written = new LastFile();
  const saved: SavedScope[] = [];
  for (const [scope, content] of scopes) saved.push(await writeScope(writing, scope, content, written));
  const at = writing.length;
  const directory = Buffer.from(JSON.stringify({ format: 1, identity, savedAt: dateOf(monotonicScheduler), scopes: saved }));
  writing.add(directory);
  writing.add(Buffer.from(snapshotFormat.lastLine(at, directory)));
  await writing.flush();
  await file.sync();
  written.is(await file.stat());
  return written;
}

/** Syncs the directory, so that the renaming survives a power failure. Some systems do not support it. */
async function syncDirectory(path: string): Promise<void> {
  try {
    const directory = await open(dirname(path), 'r');
    await directory.sync().finally(() => directory.close());
  } catch {
    // Without it, the file may have its former content after a power failure.
  }
}

/** Deletes temporary files of killed processes, which would pile up. */
async function removeLeftovers(path: string): Promise<void> {
  const folder = dirname(path);
  const beginning = `${basename(path)}.`;
  for (const name of await readdir(folder)) {
    const written = name.startsWith(beginning) ? temporaryEnd.exec(name.slice(beginning.length)) : null;
    const file = join(folder, name);
    if (written !== null && (await isLeftover(file, written))) await unlink(file);
  }
}

/**
 * Writes a snapshot to a temporary file, and renames it when it is completely on the disk. Only its owner can read it. The bytes of objects
 * that are unchanged since the last file are copied from that file. Returns the positions of the objects in the new file.
 */
async function saveSnapshot(path: string, snapshot: CacheSnapshot, last: LastFile | undefined): Promise<LastFile> {
  // Files that cannot be deleted do no harm.
  await removeLeftovers(path).catch(() => undefined);
  const temporary = join(dirname(path), `${basename(path)}.${host}-${process.pid}-${randomBytes(6).toString('hex')}.tmp`);
  const { O_WRONLY, O_CREAT, O_EXCL, O_APPEND } = constants;
  writing.add(temporary);
  try {
    const file = await open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_APPEND, 0o600);
    const copies = last?.open(path);
    const written = await write(file, snapshot, copies).finally(() => {
      copies?.close();
      return file.close();
    });
    await rename(temporary, path);
    await syncDirectory(path);
    return written;
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  } finally {
    writing.delete(temporary);
  }
}

/**
 * Keeps the cache of one informer in a file, for the part `warmStart`.
 *
 * The file is replaced atomically, and only its owner can read it. It has a format version, the identity of the cache (server, resource, selection), the
 * version of the cache, and a checksum of each object: damaged data, or data with another identity, are reported (`ERR_SNAPSHOT`) and replaced by a list.
 * Opening it reads only the keys, so that a program can read single objects at once.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { warmStart } from 'rx-informer/pipeline';
 * import { snapshotFile } from '@rx-informer/controller/manager';
 *
 * const saved = warmStart(snapshotFile('/var/cache/web/pods.snapshot'));
 * const pods = createInformer(createClient(), resources.core.v1.pods, { parts: [saved] });
 * pods.start();
 * pods.health$.subscribe(({ state }) => console.log(state, pods.lister.get('default/web-0')?.status?.phase));
 * ```
 *
 * @param path - the path of the file. Its folder must exist, and must not be writable for others. Each informer needs a file of its own.
 * @throws TypeError when the path is not a non-empty string.
 */
export function snapshotFile(path: string): SnapshotStore {
  expectArgument('snapshotFile', 'path', path, rules.nonEmptyString);
  // The program may change its working directory.
  const file = resolve(path);
  let last: LastFile | undefined;
  return {
    open: (identity) =>
      defer(() => {
        const saved = openSnapshot(file, identity);
        last = saved?.last;
        return of(saved);
      }),
    save: async (snapshot) => {
      last = await saveSnapshot(file, snapshot, last);
    },
  };
}

/** How many bytes are read per task of the event loop. */
const partBytes = 512 * 1024;

class OpenSnapshot implements SavedSnapshot {
  readonly savedAt: number;
  readonly resourceVersions: ReadonlyMap<string, string>;
  /** The places of the objects that were restored. */
  readonly last: LastFile = new LastFile();
  private readonly file: number;
  private readonly directory: SnapshotDirectory;
  private places: Map<string, Place> | undefined;
  /** The number of restored objects of each scope, and the position of the next one. */
  private readonly restoredOf = new Map<string, { count: number; at: number }>();
  private isClosed = false;

  constructor(file: number, directory: SnapshotDirectory) {
    this.file = file;
    this.directory = directory;
    this.savedAt = directory.savedAt;
    this.last.is(fstatSync(file));
    this.resourceVersions = new Map(directory.scopes.map(({ scope, resourceVersion }) => [scope, resourceVersion]));
  }

  keys(): readonly string[] {
    return this.directory.scopes.flatMap(({ keys }) => keys);
  }

  read(key: string): Uint8Array | undefined {
    this.places ??= placesOf(this.directory);
    const place = this.places.get(key);
    if (place === undefined || this.isClosed) return undefined;
    const bytes = readAt(this.file, place.at, place.length);
    expectChecksum(bytes, place.checksum, key);
    return bytes;
  }

  async *readAll(name: string): AsyncGenerator<Uint8Array> {
    const scope = this.directory.scopes.find((one) => one.scope === name);
    if (scope === undefined) return;
    this.restoredOf.delete(name);
    let at = scope.begin;
    for (let first = 0; first < scope.keys.length;) {
      const behind = endOfPart(scope, first);
      const length = scope.lengths.slice(first, behind).reduce((sum, bytes) => sum + bytes + 1, -1);
      if (this.isClosed) return;
      const part = readAt(this.file, at, length);
      checkPart(scope, part, first, behind);
      yield part;
      await setImmediate();
      at += length + 1;
      first = behind;
    }
  }

  restored(name: string, objects: readonly object[]): void {
    const scope = this.directory.scopes.find((one) => one.scope === name);
    if (scope === undefined) return;
    const done = this.restoredOf.get(name) ?? { count: 0, at: scope.begin };
    this.restoredOf.set(name, done);
    for (const object of objects) {
      const length = scope.lengths[done.count];
      const checksum = scope.checksums[done.count];
      // Without a place of its own, an object is serialized when it is saved.
      if (length === undefined || checksum === undefined) return;
      this.last.note(object, { at: done.at, length, checksum });
      done.count += 1;
      done.at += length + 1;
    }
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    closeSync(this.file);
  }
}

function expectChecksum(bytes: Uint8Array, checksum: number, key: string): void {
  if (crc32(bytes) !== checksum) throw new Error(`the checksum of ${key} is another one`);
}

function checkPart({ keys, lengths, checksums }: SavedScope, part: Buffer, first: number, behind: number): void {
  let at = 0;
  for (let one = first; one < behind; one += 1) {
    const length = lengths[one] ?? 0;
    expectChecksum(part.subarray(at, at + length), checksums[one] ?? 0, keys[one] ?? '');
    at += length + 1;
  }
}

/** The index of the first object after the part that begins with `first`. */
function endOfPart({ lengths }: SavedScope, first: number): number {
  let behind = first + 1;
  for (let bytes = lengths[first] ?? 0; behind < lengths.length && bytes + (lengths[behind] ?? 0) <= partBytes; behind += 1) {
    bytes += lengths[behind] ?? 0;
  }
  return behind;
}

function placesOf({ scopes }: SnapshotDirectory): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const { begin, keys, lengths, checksums } of scopes) {
    let at = begin;
    for (const [one, key] of keys.entries()) {
      const length = lengths[one] ?? 0;
      places.set(key, { at, length, checksum: checksums[one] ?? 0 });
      at += length + 1;
    }
  }
  return places;
}

function directoryOf(file: number): SnapshotDirectory {
  const { size } = fstatSync(file);
  const { lastLineLength } = snapshotFormat;
  if (size < lastLineLength) throw new Error('it is too short');
  const end = size - lastLineLength;
  const { at, checksum } = snapshotFormat.parseLastLine(readAt(file, end, lastLineLength).toString('latin1'));
  if (at > end) throw new Error('its directory begins behind its end');
  return snapshotFormat.parseDirectory(readAt(file, at, end - at), checksum);
}

/**
 * Opens a snapshot file. Only its directory is read at first, objects on demand.
 *
 * @returns undefined when there is no file.
 * @throws Error when it is not a snapshot, or has another identity.
 */
function openSnapshot(path: string, identity: string): OpenSnapshot | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const directory = directoryOf(file);
    if (directory.identity !== identity) throw new Error('it is of another server, resource or selection');
    return new OpenSnapshot(file, directory);
  } catch (error) {
    closeSync(file);
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
  }
}
