import { describe, expect, it } from '@jest/globals';
import { type IncomingList, Scopes, type Step } from '../../../src/delta/index/scopes.js';
import type { LeaveReason, SourceEvent } from '../../../src/api/events.js';
import { added, bookmark, deleted, init, list, modified, page, type Pod, pod, ready } from '../pods.js';

/** A list that is a map. */
class Listed implements IncomingList<Pod> {
  readonly values = new Map<string, Pod>();

  add(key: string, object: Pod): void {
    this.values.set(key, object);
  }

  remove(key: string): void {
    this.values.delete(key);
  }
}

interface Cache {
  readonly keys?: readonly string[];
  readonly declared?: readonly string[];
}

function scopesOf({ keys = [], declared }: Cache = {}) {
  let present = keys;
  const scopes = new Scopes<Pod, Listed>({
    declared,
    presentKeys: () => present,
    keyOf: ({ metadata: { name } }) => (name === '' ? undefined : name),
    begin: () => new Listed(),
  });
  const say = (step: Step<Pod, Listed> | undefined): string => {
    if (step === undefined) return '';
    const { scope, resourceVersion } = { resourceVersion: '', ...step };
    const where = scope.name === '' ? '' : ` in ${scope.name}`;
    if (step.do === 'publish') return `publish ${[...step.list.values.keys()].join()}@${resourceVersion}${where}`;
    return step.do === 'reach'
      ? `reach ${resourceVersion}${where}`
      : `${step.event.type} ${step.key} after ${step.previousResourceVersion}${where}`;
  };
  /** Reads events, makes complete lists the content of their scopes, and says what vanishes. */
  const read = (...events: readonly SourceEvent<Pod>[]): string[] =>
    events.flatMap((event) => {
      const step = scopes.read(event);
      const said = say(step);
      if (step?.do !== 'publish') return said === '' ? [] : [said];
      const gone = scopes.vanished(step.scope, step.list);
      scopes.settle(step.scope, step.list, step.resourceVersion);
      return [gone.length === 0 ? said : `${said}, gone ${gone.join()}`];
    });
  const set = (...more: readonly string[]): unknown => (present = more);
  return { scopes, read, set };
}

describe('Scopes', () => {
  it('collect a list until it is complete, and leave out what has no key', () => {
    const { read } = scopesOf();
    expect(read(init(), page([pod('a', '1'), pod('', '1')]), added(pod('b', '2')), deleted(pod('a', '3')))).toEqual([]);
    expect(read(ready('5'), modified(pod('b', '6')), bookmark('7'))).toEqual(['publish b@5', 'modified b after 5', 'reach 7']);
  });

  it('take pages and changes before any beginning for a list, and publish nothing where none has begun', () => {
    expect(scopesOf().read(page([pod('a', '1')]), ready('5'))).toEqual(['publish a@5']);
    expect(scopesOf().read(added(pod('a', '1')), ready('5'))).toEqual(['publish a@5']);
    expect(scopesOf().read(ready('5'))).toEqual([]);
    for (const first of [page([pod('a', '1')]), added(pod('a', '1'))]) {
      const { scopes } = scopesOf();
      scopes.read(first);
      expect(scopes.read(ready('5'))).toMatchObject({ scope: { previousResourceVersion: '' } });
    }
  });

  it('drop a list that another one replaces', () => {
    expect(scopesOf().read(init(), page([pod('a', '1')]), ...list('5', [pod('b', '1')]))).toEqual(['publish b@5']);
  });

  it('pass on at once what has gone to another shard while a list is under way, unless it is the first one', () => {
    const moved = { ...deleted(pod('a', '3')), reason: 'moved' as LeaveReason } as SourceEvent<Pod>;
    const { read } = scopesOf();
    expect(read(init(), page([pod('a', '1')]), moved, ready('5'))).toEqual(['publish @5']);
    expect(read(init(), page([pod('a', '1')]), moved, ready('6'))).toEqual(['deleted a after 5', 'publish @6']);
  });

  it('find what is gone of the only scope in the whole cache', () => {
    const { scopes, read } = scopesOf({ keys: ['a', 'b'] });
    expect(read(...list('5', [pod('a', '1')]))).toEqual(['publish a@5, gone b']);
    const step = [init(), page([pod('a', '1')]), ready('6')].map((event) => scopes.read(event)).at(-1);
    // Where the numbers say that nothing is gone, the keys are not looked at.
    expect(step?.do === 'publish' && scopes.vanished(step.scope, step.list, 2)).toEqual([]);
  });

  it('find what is gone of one scope among its own keys, and what was there at first with the last scope', () => {
    const { read } = scopesOf({ keys: ['a', 'b', 'z'], declared: ['one', 'two'] });
    expect(read(...list('5', [pod('a', '1')], 'one'))).toEqual(['publish a@5 in one']);
    expect(read(...list('6', [pod('b', '1')], 'two'))).toEqual(['publish b@6 in two, gone z']);
    expect(read(...list('7', [], 'one'))).toEqual(['publish @7 in one, gone a,z']);
  });

  it('record who has what only while there are several, and keep what another scope has', () => {
    const { scopes, read, set } = scopesOf();
    read(...list('5', [pod('a', '1'), pod('b', '1')], 'one'));
    set('a', 'b');
    read(...list('6', [pod('a', '1')], 'two'));
    const gone = scopes.read(deleted(pod('a', '7'), 'one'));
    const last = scopes.read(deleted(pod('a', '8'), 'two'));
    const stays = [gone, last].map((step) => step?.do === 'change' && scopes.move(step.scope, step.key, step.event));
    expect(stays).toEqual([true, false]);
    expect(read(...list('9', [], 'one'))).toEqual(['publish @9 in one, gone b']);
  });

  it('forget a scope that is no more declared once its last list is complete', () => {
    const declared = ['one', 'two'];
    const { scopes, read } = scopesOf({ declared });
    read(...list('5', [], 'one'));
    expect(scopes.allReady()).toBe(false);
    read(...list('5', [], 'two'));
    expect(scopes.allReady()).toBe(true);
    declared.pop();
    expect(read(...list('6', [], 'two'), added(pod('a', '7'), 'two'))).toEqual(['publish @6 in two']);
    expect(scopes.allReady()).toBe(true);
  });
});
