import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectCases } from './cases.js';
import { casesOf, differing, groups, isDocumented, recording } from './compared.js';
import { differences } from './differences.js';
import { World } from './world.js';
import { isDeep } from '../../tier.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.close());

const { version, outcomes } = recording();

describe(`connecting beside kubectl ${version}, as recorded`, () => {
  it('has a case for each line of the recording, 400 at least', () => {
    expect([...outcomes.keys()].sort()).toEqual(connectCases.map(({ name }) => name).sort());
    expect(connectCases.length).toBeGreaterThanOrEqual(400);
  });

  it.each(groups)('does the same, but for what docs/differences.md says: %s', async (group) => {
    const cases = casesOf(group).filter((_, at) => isDeep || at % 3 === 0);
    const found = await differing(world, cases, ({ name }) => Promise.resolve(outcomes.get(name)));
    expect(found.filter(({ name }) => !isDocumented(name))).toEqual([]);
    // A row whose cases do not differ any more is wrong.
    const documented = cases.filter(({ name }) => isDocumented(name));
    expect(found.map(({ name }) => name)).toEqual(documented.map(({ name }) => name));
  });

  it('has a row in docs/differences.md for each difference', () => {
    const text = readFileSync(new URL('../../../docs/differences.md', import.meta.url), 'utf8');
    expect(differences.filter(({ row }) => !text.includes(`| ${row} |`)).map(({ row }) => row)).toEqual([]);
  });
});
