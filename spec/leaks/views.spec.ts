import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { isDeep } from '../tier.js';

const cycles = isDeep ? 10_000 : 1_000;
const root = fileURLToPath(new URL('../..', import.meta.url));

/** The heap of a separate process after each tenth of the cycles. Without optimized code, whose size varies from run to run. */
async function heapOf(): Promise<readonly number[]> {
  const program = ['--import', './workshop/tools/register-ts-node.mjs', 'packages/views/spec/leaks/viewCycles.ts', String(cycles)];
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', '--no-opt', ...program], { cwd: root });
  return JSON.parse(stdout) as number[];
}

const middleOf = (three: readonly number[]): number => [...three].sort((a, b) => a - b)[1] ?? NaN;

describe('views', () => {
  it(`leave the heap as it was, within 2 %, after ${String(cycles)} cycles of objects, subscribers, views and collections that come and go`, async () => {
    const heap = await heapOf();
    expect(heap).toHaveLength(11);
    expect(middleOf(heap.slice(-3)) / middleOf(heap.slice(0, 3))).toBeLessThan(1.02);
  }, 900_000);
});
