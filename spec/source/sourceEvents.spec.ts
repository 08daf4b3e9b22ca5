import { describe, expect, it } from '@jest/globals';
import { toArray } from 'rxjs';
import { InformerError } from '../../src/api/errors/informerError.js';
import { checkSourceGrammar } from '../../src/testing/suites/checkSourceGrammar.js';
import { pod } from '../../src/testing/fakes/fixtures.js';
import { runMarbles } from '../../src/testing/marbles/runMarbles.js';
import {
  sourceAdded,
  sourceBookmark,
  sourceDeleted,
  sourceInit,
  sourceModified,
  sourcePage,
  sourceReady,
  sourceStatus,
} from './sourceEvents.js';

const web = pod('web', { metadata: { resourceVersion: '7' } });

describe('sourceInit, sourcePage, ...', () => {
  it.each(['', 'shop'])('make a stream that obeys the grammar, in the scope %j', (scope) => {
    const error = new InformerError({ code: 'ERR_LIST', message: 'no' });
    const values = {
      i: sourceInit('', undefined, scope),
      p: sourcePage([web], scope),
      r: sourceReady('5', scope),
      a: sourceAdded(web, scope),
      m: sourceModified(web, scope),
      d: sourceDeleted(web, scope),
      b: sourceBookmark('9', scope),
      I: sourceInit('9', undefined, scope),
      s: sourceStatus('retrying', { error, attempt: 1, nextAttemptAt: 3 }, scope),
    };
    runMarbles(({ cold, expectObservable }) => {
      expectObservable(cold('ipramdbsIr|', values).pipe(checkSourceGrammar())).toBe('ipramdbsIr|', values);
      expectObservable(cold('p|', values).pipe(checkSourceGrammar(), toArray())).toBe(
        '#',
        undefined,
        new Error(`Unexpected \`page\` before any \`init\`${scope === '' ? '' : ' in scope "shop"'}`),
      );
    });
  });

  it('have the version of their object, and name a scope only if there is one', () => {
    expect(sourceAdded(web)).toStrictEqual({ type: 'added', object: web, resourceVersion: '7' });
    expect(sourceDeleted(web, 'shop')).toStrictEqual({ type: 'deleted', scope: 'shop', object: web, resourceVersion: '7' });
    expect(sourceInit()).toEqual({ type: 'init', scope: '', reason: 'first', previousResourceVersion: '' });
    expect(sourceInit('4')).toMatchObject({ reason: 'expired', previousResourceVersion: '4' });
  });
});
