import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { folderOf, houses, root } from '../../tools/houses.js';

const specFolders = [...houses.map((house) => join(folderOf(house), 'spec')), join(root, 'workshop/spec')];
const specs = specFolders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.spec.ts'))
    .map((file) => join(folder, file)),
);
const behaviours = JSON.parse(readFileSync(join(root, 'workshop/tools/behaviours.json'), 'utf8')) as readonly {
  readonly id: string;
  readonly says?: string;
}[];

describe('behaviours.json', () => {
  it('has a sentence for every behaviour that a spec cites', () => {
    const cited = new Set(specs.flatMap((file) => readFileSync(file, 'utf8').match(/(?<=\((?:[A-Z]{2}-\d{2},? ?)*)[A-Z]{2}-\d{2}/g) ?? []));
    const said = new Set(behaviours.flatMap(({ id, says }) => (says === undefined ? [] : [id])));
    expect(cited.size).toBeGreaterThan(300);
    expect([...cited].filter((id) => !said.has(id))).toEqual([]);
  });
});
