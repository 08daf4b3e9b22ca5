import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { faultCases } from '../../../tools/faults/faultCases.js';
import { brokenPromises } from '../../../tools/faults/faultTable.js';
import type { Measurement } from '../../../tools/faults/measure.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const page = readFileSync(`${root}docs/reliability.md`, 'utf8');

describe('npm run faults', () => {
  it.each(faultCases)('names a spec that is there: $id', ({ spec }) => {
    expect(existsSync(`${root}${spec.file}`)).toBe(true);
    expect(readFileSync(`${root}${spec.file}`, 'utf8')).toContain(spec.title);
  });

  it('has written a row of docs/reliability.md for each fault', () => {
    const [, table = ''] = /<!-- faults -->(.*)<!-- end of faults -->/s.exec(page) ?? [];
    const rows = table.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| fault '));
    expect(rows.map((row) => row.slice(2, row.indexOf(' |')))).toEqual(faultCases.map(({ fault }) => fault));
  });

  const fault = {
    id: 'x',
    fault: 'x',
    begin: () => undefined,
    promise: { noticedMs: 10, consistentMs: 20, perMinute: 3, lost: 'nothing' },
    spec: { file: '', title: '' },
  } as const;
  const kept: Measurement = { id: 'x', noticedMs: 10, consistentMs: 20, perMinute: 3, untold: 0, writes: 5, differences: [] };

  it.each<readonly [Partial<Measurement>, string]>([
    [{ noticedMs: 11 }, 'noticed after 11 ms'],
    [{ noticedMs: Infinity }, 'noticed after Infinity s'],
    [{ consistentMs: NaN }, 'consistent after NaN s'],
    [{ perMinute: 4 }, '4 requests a minute'],
    [{ untold: 1 }, '1 of 5 writes were not told'],
    [{ differences: ['cache'] }, "the cache is not the server's state"],
  ])('fails where a promise is not kept: %j', (seen, broken) => {
    expect(brokenPromises(fault, { ...kept, ...seen })).toEqual([broken]);
    expect(brokenPromises(fault, kept)).toEqual([]);
  });
});
