import { writeSync } from 'node:fs';

/** Writes part of the bytes, as `writeSync` does: the answer is how many. */
type Write = (file: number, bytes: Buffer, from: number) => number;

/**
 * Writes all of the bytes to a file: a disk that is nearly full, or a limit, takes only some of them at once.
 *
 * @throws Error when the file takes no more.
 */
export function writeWhole(file: number, bytes: Buffer, write: Write = (to, from, at) => writeSync(to, from, at)): void {
  let written = 0;
  while (written < bytes.length) {
    const taken = write(file, bytes, written);
    if (taken <= 0) throw new Error(`Expected the file to take ${String(bytes.length)} bytes, it took ${String(written)}`);
    written += taken;
  }
}
