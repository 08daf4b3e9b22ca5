import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from 'rx-informer/internal';
import { CliError } from './cliError.js';

/** The text of a file, or of standard input for `-`. */
export function readText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new CliError(`cannot read ${file}: ${messageOf(error)}`);
  }
}

/** Makes a folder and those above it, one by one: where none can be made, as in /proc, Node's `recursive` tries forever. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}

/** Writes a file. One that exists is only replaced if it is the command's own; otherwise `refusal` says why not. */
export function writeText(file: string, text: string, isOwn: (text: string) => boolean, refusal: string, mode?: number): void {
  if (existsSync(file) && !isOwn(readText(file))) throw new CliError(`${file} ${refusal}`);
  try {
    makeFolder(dirname(file));
    writeFileSync(file, text, { mode });
  } catch (error) {
    throw new CliError(`cannot write ${file}: ${messageOf(error)}`);
  }
}
