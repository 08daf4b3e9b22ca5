import { describe, expect, it } from '@jest/globals';
import { from } from 'rxjs';
import { InformerError } from '../../../src/api/errors/informerError.js';
import type { SourceEvent } from '../../../src/api/events.js';
import { checkSourceGrammar } from '../../../src/testing/suites/checkSourceGrammar.js';

type Event = SourceEvent<string>;

const init: Event = { type: 'init', scope: '', reason: 'first', previousResourceVersion: '' };
const again: Event = { type: 'init', scope: '', reason: 'expired', previousResourceVersion: '10' };
const page: Event = { type: 'page', items: ['a'] };
const ready: Event = { type: 'ready', scope: '', resourceVersion: '10' };
const added: Event = { type: 'added', object: 'b', resourceVersion: '11' };
const deleted: Event = { type: 'deleted', object: 'b', resourceVersion: '12' };
const bookmark: Event = { type: 'bookmark', resourceVersion: '12' };
const status: Event = { type: 'status', state: 'watching' };
const other: Event = { type: 'init', scope: 'web', reason: 'first', previousResourceVersion: '' };

function check(events: readonly Event[]): { passed: Event[]; problem: string | undefined } {
  const passed: Event[] = [];
  let problem: string | undefined;
  from(events)
    .pipe(checkSourceGrammar())
    .subscribe({
      next: (event) => passed.push(event),
      error: (error: unknown) => {
        problem = error instanceof Error ? error.message : undefined;
      },
    });
  return { passed, problem };
}

describe('checkSourceGrammar', () => {
  it.each<[string, Event[]]>([
    ['nothing', []],
    ['a list and a watch', [status, init, page, status, page, ready, added, deleted, bookmark]],
    ['an abandoned list', [init, page, init, page, ready]],
    ['an abandoned relist', [init, ready, again, page, again, ready]],
    [
      'keys, and why something has left',
      [init, { ...page, keys: ['c/web/a'] }, ready, { ...added, key: 'b' }, { ...deleted, key: 'b', reason: 'revoked' }],
    ],
    ['a streamed list', [init, added, deleted, added, ready, added]],
    ['lists of two scopes at once', [init, other, page, ready, { ...ready, scope: 'web' }]],
  ])('passes %s', (_, events) => {
    expect(check(events)).toEqual({ passed: events, problem: undefined });
  });

  it.each<[string, Event[]]>([
    ['Unexpected `page` before any `init`', [page]],
    ['Unexpected `ready` before any `init`', [status, ready]],
    ['Unexpected `page` after a list', [init, ready, page]],
    ['Unexpected `ready` after a list', [init, ready, ready]],
    ['Unexpected `bookmark` inside a list', [init, bookmark]],
    ['Unexpected `bookmark` inside a list', [init, ready, again, bookmark]],
    ['Unexpected `added` before any `init` in scope "web"', [init, { ...added, scope: 'web' }]],
    ['Unexpected `init` with reason "expired" before any `init`', [again]],
    ['Unexpected `init` with reason "first" after a list', [init, ready, init]],
    ['Unexpected `init` with previousResourceVersion "" after a list', [init, ready, { ...again, previousResourceVersion: '' }]],
    ['Unexpected `page` with 2 keys for 1 items inside a list', [init, { ...page, keys: ['a', 'b'] }]],
    ['Unexpected `page` with a key that is no text or empty inside a list', [init, { ...page, keys: [''] }]],
    ['Unexpected `added` with a key that is no text or empty after a list', [init, ready, { ...added, key: '' }]],
    ['Unexpected `added` with reason "moved" after a list', [init, ready, { ...added, reason: 'moved' }]],
    ['Unexpected `ready` with an empty resourceVersion inside a list', [init, { ...ready, resourceVersion: '' }]],
    [
      'Unexpected `status` with state "retrying" without an error or without the time of the next attempt before any `init`',
      [{ type: 'status', state: 'retrying', error: new InformerError({ code: 'ERR_LIST', message: '' }) }],
    ],
  ])('fails with: %s', (problem, events) => {
    expect(check(events)).toEqual({ passed: events.slice(0, -1), problem });
  });

  it('judges each subscription on its own', () => {
    const checked = from([init, ready]).pipe(checkSourceGrammar());
    const problems: unknown[] = [];
    checked.subscribe({ error: (error: unknown) => problems.push(error) });
    checked.subscribe({ error: (error: unknown) => problems.push(error) });
    expect(problems).toEqual([]);
  });
});
