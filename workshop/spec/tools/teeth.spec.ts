import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const properties = JSON.parse(read('workshop/teeth.json')) as readonly {
  readonly spec: string;
  readonly test: string;
  readonly mutants: readonly { readonly file: string; readonly from: string }[];
}[];

describe('workshop/teeth.json', () => {
  it.each(properties)('changes what is in the sources, for $spec $test', ({ spec, test, mutants }) => {
    expect(read(spec)).toContain(test);
    for (const { file, from } of mutants) expect(read(file)).toContain(from);
  });
});
