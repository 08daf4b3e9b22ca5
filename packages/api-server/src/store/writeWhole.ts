import { writeSync } from 'node:fs';

/** Writes some of the bytes and returns their number, like `writeSync`. */
type Write = (file: number, bytes: Buffer, from: number) => number;

/**
 * Writes all of the bytes to a file: with a nearly full disk or a size limit, one call may write only some of them.
 *
 * @throws Error when no more bytes can be written.
 */
export function writeWhole(file: number, bytes: Buffer, write: Write = (to, from, at) => writeSync(to, from, at)): void {
  let written = 0;
  while (written < bytes.length) {
    const taken = write(file, bytes, written);
    if (taken <= 0) throw new Error(`Expected the file to take ${String(bytes.length)} bytes, it took ${String(written)}`);
    written += taken;
  }
}
