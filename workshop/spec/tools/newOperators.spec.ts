import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import * as operatorPictures from '../../../spec/docs/operatorPictures.js';
import { picturedSnippets, playgroundSnippets } from '../../site/playground/snippets.js';
import { chooseOperators } from '../../tools/docs/chooseOperators.js';

const page = readFileSync(new URL('../../site/choose.md', import.meta.url), 'utf8');

describe('an operator that has a picture and nothing else', () => {
  it('has a program in the playground', () => {
    const [snippet, ...others] = picturedSnippets({ ...operatorPictures, lastByKey: { call: "lastByKey('a')" } }, playgroundSnippets);
    expect(others).toEqual([]);
    expect(snippet?.name).toBe('lastByKey');
    expect(snippet?.code).toContain("import { createInformer, lastByKey } from 'rx-informer';");
    expect(snippet?.code).toContain(`show("lastByKey('a')", pods.change$.pipe(lastByKey('a')));`);
  });

  it('is on the page of choices, with the first sentence of its comment, in the first question', () => {
    const comment = '/**\n * Keeps the last\n * of each key. Others go.\n */';
    const chosen = chooseOperators(page, [
      { name: 'toMap', comment },
      { name: 'lastByKey', comment },
    ]);
    expect(chosen).toContain('- keeps the last of each key: [`lastByKey`](/api/rx-informer/lastByKey)\n');
    expect(chosen.indexOf('lastByKey')).toBeLessThan(chosen.indexOf('I have one object in mind'));
    expect(chosen.match(/<details/g)?.length).toBe(chosen.match(/<\/details>/g)?.length);
    expect(chosen.match(/`toMap`/g)).toHaveLength(1);
  });

  it('has no second line where the page names it', () => {
    expect(chooseOperators(page, [{ name: 'toMap', comment: '/** Folds. */' }])).toBe(page);
  });
});
