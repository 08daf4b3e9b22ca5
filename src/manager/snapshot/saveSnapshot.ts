import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import type { CacheSnapshot, SnapshotScope } from '../../informer/warm/snapshotStore.js';
import { jsonTextOf } from '../../api/jsonTextOf.js';
import { dateOf, monotonicScheduler } from '../../rx/schedulerOf.js';
import { type SavedScope, snapshotFormat } from './snapshotFormat.js';
import { type Copies, LastFile, type SavedJson } from './lastFile.js';

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
export async function saveSnapshot(path: string, snapshot: CacheSnapshot, last: LastFile | undefined): Promise<LastFile> {
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
