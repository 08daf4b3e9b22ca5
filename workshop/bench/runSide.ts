import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { compiled } from './compile.js';

/** The figures of one run of one side, by name. */
export type Figures = Readonly<Record<string, number>>;

/**
 * Runs one side of a comparison in a process of its own.
 *
 * @param side - the name of a file in workshop/bench/sides.
 */
export function runSide<F extends object = Figures>(side: string, options: object = {}, flags: readonly string[] = []): Promise<F> {
  return new Promise((resolve, reject) => {
    const args = ['--expose-gc', ...flags, join(compiled, 'side.js'), side, JSON.stringify(options)];
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_ENV: 'production' },
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => (output += part));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(JSON.parse(output.slice(output.lastIndexOf('\n', output.length - 2) + 1)) as F);
      else reject(new Error(`${side} ended with ${String(code)}: ${output}`));
    });
  });
}
