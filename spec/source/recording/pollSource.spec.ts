import { describe, expect, it } from '@jest/globals';
import { filter, from, map, throwError, type ObservableInput } from 'rxjs';
import type { KubernetesList, KubernetesObject } from '../../../src/api/kubernetesObject.js';
import type { ListRequest } from '../../../src/api/listerWatcher.js';
import { createInformer } from '../../../src/informer/createInformer.js';
import { pollSource } from '../../../src/source/recording/pollSource.js';
import { briefly } from '../../../src/testing/marbles/briefly.js';
import { checkSourceGrammar } from '../../../src/testing/suites/checkSourceGrammar.js';
import { FakeListerWatcher } from '../../../src/testing/fakes/fakeListerWatcher.js';
import { pod } from '../../../src/testing/fakes/fixtures.js';
import { runMarbles } from '../../../src/testing/marbles/runMarbles.js';
import { statusError } from '../../../src/testing/fakes/serverErrors.js';

const settings = { periodMs: 10, random: () => 0 };
const logger = { warn: () => undefined };

describe('pollSource', () => {
  it('lists again and again, by the grammar of all sources', () => {
    runMarbles(({ expectObservable, scheduler }) => {
      const server = new FakeListerWatcher({ scheduler });
      const list = (request: ListRequest) => server.list(request);
      const source = pollSource(list, { ...settings, scheduler, scope: 'shop' }).pipe(checkSourceGrammar());
      expectObservable(source.pipe(map(({ type, scope }) => `${type} ${scope ?? ''}`)), '^ 14ms !').toBe('(sirS) 4ms (sirS)', {
        s: 'status shop',
        i: 'init shop',
        r: 'ready shop',
        S: 'status shop',
      });
    });
  });

  it('lets an informer tell what differs, one list at a time', () => {
    runMarbles(({ cold, expectObservable, scheduler }) => {
      const server = new FakeListerWatcher({ scheduler });
      server.add(pod('a'));
      server.add(pod('b'));
      cold('--m').subscribe(() => {
        server.modify(pod('a'));
        server.delete('default/b');
        server.add(pod('c'));
      });
      const informer = createInformer(
        pollSource((request) => server.list(request), { ...settings, scheduler }),
        { scheduler },
      );
      expectObservable(informer.resource$.pipe(map(briefly)), '^ 24ms !').toBe('(abs) 5ms (BACS) 4ms t', {
        a: 'added default/a@2 initial',
        b: 'added default/b@3 initial',
        s: 'synced at 3',
        B: 'deleted default/b@3 inferred finalStateUnknown',
        A: 'updated default/a@4 (was default/a@2) inferred',
        C: 'added default/c@6 inferred',
        S: 'synced at 6',
        t: 'synced at 6',
      });
      expectObservable(informer.error$, '^ 24ms !').toBe('');
    });
  });

  it('needs no versions: an object has changed when its content has', () => {
    const usage = (name: string, cpu: string): KubernetesObject => ({ metadata: { name }, ...{ usage: { cpu } } });
    const answers = [
      [usage('a', '1'), usage('b', '1')],
      [usage('a', '2'), usage('b', '1')],
      [usage('a', '2'), usage('b', '1')],
    ];
    runMarbles(({ expectObservable, scheduler }) => {
      let asked = 0;
      const list = (): ObservableInput<KubernetesList<KubernetesObject>> => from([{ items: answers[asked++] ?? [] }]);
      const informer = createInformer(pollSource(list, { ...settings, scheduler }), { scheduler });
      expectObservable(informer.resource$.pipe(map(briefly)), '^ 24ms !').toBe('(abs) 5ms (AS) 6ms t', {
        a: 'added a initial',
        b: 'added b initial',
        s: 'synced at 1',
        A: 'updated a (was a) inferred',
        S: 'synced at 2',
        t: 'synced at 3',
      });
    });
  });

  it('tries a list that fails again with backoff, which begins anew after one that came', () => {
    runMarbles(({ expectObservable, scheduler }) => {
      let asked = 0;
      const list = (): ObservableInput<KubernetesList<KubernetesObject>> => {
        asked += 1;
        return asked % 2 === 1 ? throwError(() => statusError(503, 'ServiceUnavailable', 'no')) : from([{ items: [] }]);
      };
      const informer = createInformer(pollSource(list, { ...settings, scheduler }), { scheduler, logger });
      expectObservable(informer.error$.pipe(map(({ code, attempt }) => `${code} ${attempt}`)), '^ 1700ms !').toBe('f 809ms f 809ms f', {
        f: 'ERR_LIST 1',
      });
      expectObservable(informer.resource$, '^ 1700ms !').toBe('800ms s 809ms t', {
        s: { type: 'synced', resourceVersion: '1', previousResourceVersion: '' },
        t: { type: 'synced', resourceVersion: '2', previousResourceVersion: '1' },
      });
    });
  });

  it('names what it lists in what it reports', () => {
    runMarbles(({ expectObservable, scheduler }) => {
      const list = () => throwError(() => statusError(503, 'ServiceUnavailable', 'no'));
      const told = (options: { readonly resource?: string }) =>
        pollSource(list, { ...settings, ...options, scheduler }).pipe(
          filter((event) => event.type === 'status' && event.error !== undefined),
          map((event) => (event.type === 'status' ? (event.error?.message ?? '') : '')),
        );
      expectObservable(told({ resource: 'usage' }), '^!').toBe('e', { e: 'Cannot list usage: no' });
      expectObservable(told({}), '^!').toBe('e', { e: 'Cannot list objects: no' });
    });
  });

  it('names itself where it refuses what the reflector does', () => {
    expect(() => pollSource(() => [], { ...settings, backoff: { initialMs: 20, maxMs: 10 } })).toThrow('`maxMs` of `pollSource.backoff`');
  });

  it.each([0, NaN, Infinity])('refuses the period %d', (periodMs) => {
    expect(() => pollSource(() => [], { periodMs })).toThrow(
      `Expected \`periodMs\` of \`pollSource\` to be a finite number of milliseconds >= 1, got ${periodMs}`,
    );
  });
});
