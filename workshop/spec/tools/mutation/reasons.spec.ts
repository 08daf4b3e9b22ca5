import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { instrument } from '../../../tools/mutation/instrument.js';

const src = new URL('../../../../src/', import.meta.url);
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const withReasons = files
  .map((name) => ({ name, text: readFileSync(new URL(name, src), 'utf8') }))
  .filter(({ text }) => text.includes('// mutation '));

describe('the reasons beside the code', () => {
  it('speak of mutants that there are', () => {
    const stale = withReasons.flatMap(({ name, text }) =>
      instrument(name, text, 0).stale.map((one) => `${name}:${String(one.line)}: ${one.text}`),
    );
    expect(withReasons.length).toBeGreaterThan(0);
    expect(stale).toEqual([]);
  });
});
