import { execFile } from 'node:child_process';

/** A side that is not a Node program. */
export interface ProgramSideOptions {
  readonly path: string;
  readonly args: readonly string[];
}

/** Runs the program; the last line of its output contains its figures. */
export function run({ path, args }: ProgramSideOptions): Promise<object> {
  return new Promise((resolve, reject) => {
    const child = execFile(path, [...args], { encoding: 'utf8' }, (error, stdout) => {
      if (error !== null) reject(new Error(`Expected figures of ${path}, but ${error.message}`));
      else resolve(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as object);
    });
    child.stderr?.pipe(process.stderr);
  });
}
