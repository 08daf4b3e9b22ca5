import { describe, expect, it } from '@jest/globals';
import { tap, throwError, VirtualTimeScheduler } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import type { KubernetesObject } from '../../src/api/kubernetesObject.js';
import type { SourceEvent } from '../../src/api/events.js';
import { mergeSources } from '../../src/source/mergeSources.js';
import { reflect } from '../../src/source/reflector/reflect.js';
import { advanceBy } from '../../src/testing/marbles/advanceBy.js';
import { checkSourceGrammar } from '../../src/testing/suites/checkSourceGrammar.js';
import { FakeListerWatcher } from '../../src/testing/fakes/fakeListerWatcher.js';
import { foldSource } from '../../src/testing/suites/foldSource.js';
import { statusError } from '../../src/testing/fakes/serverErrors.js';
import { record } from './recording/record.js';

const pod = (namespace: string, name: string): KubernetesObject => ({ metadata: { namespace, name } });

describe('mergeSources', () => {
  it('keeps each scope to itself, also while another one fails', () => {
    const scheduler = new VirtualTimeScheduler();
    const server = new FakeListerWatcher({ scheduler });
    server.add(pod('web', 'a'));
    server.add(pod('db', 'b'));
    const forbidden = {
      ...server.inNamespace('db'),
      watch: () => throwError(() => statusError(403, 'Forbidden', 'no')),
      list: () => throwError(() => statusError(403, 'Forbidden', 'no')),
    };
    const fold = foldSource<KubernetesObject>();
    const sources = [server.inNamespace('web'), server.inNamespace('db'), { ...forbidden, scope: 'secret' }];
    const merged = mergeSources(sources.map((source) => reflect(source, { scheduler })));
    const { errors, subscription } = record(
      merged.pipe(
        checkSourceGrammar(),
        tap((event) => fold.apply(event)),
      ),
    );
    server.add(pod('web', 'c'));
    server.delete('db/b');
    advanceBy(scheduler, 100_000);
    server.expire();
    advanceBy(scheduler, 100_000);
    expect([...fold.scopes].map(([scope, objects]) => [scope, [...objects.keys()].sort()])).toEqual([
      ['web', ['web/a', 'web/c']],
      ['db', []],
    ]);
    expect(errors).toEqual([]);
    subscription.unsubscribe();
    expect(server.openWatches).toBe(0);
    expect(scheduler.actions).toHaveLength(0);
  });

  it('refuses two sources of one scope, whatever their own repeated lists', () => {
    new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(({ cold, expectObservable, expectSubscriptions }) => {
      const i: SourceEvent<string> = { type: 'init', scope: 'web', reason: 'first', previousResourceVersion: '' };
      const web = cold('i--i----', { i });
      const again = cold('----i--', { i });
      expectObservable(mergeSources([web, again])).toBe(
        '                 i--i#',
        { i },
        new TypeError('Expected each source to have a scope of its own, got "web" twice'),
      );
      expectSubscriptions(web.subscriptions).toBe('^---!');
      expectSubscriptions(again.subscriptions).toBe('^---!');
    });
  });

  it('lets what states no scope pass, from however many sources', () => {
    const p: SourceEvent<string> = { type: 'page', items: ['a'] };
    const s: SourceEvent<string> = { type: 'status', state: 'watching' };
    new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(({ cold, expectObservable }) => {
      expectObservable(mergeSources([cold('p-s---', { p, s }), cold('-p-s-|', { p, s })])).toBe('ppss--', { p, s });
    });
  });

  it('shares nothing between two subscriptions', () => {
    const i: SourceEvent<string> = { type: 'init', scope: '', reason: 'first', previousResourceVersion: '' };
    new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(({ cold, expectObservable }) => {
      const merged = mergeSources([cold('i-', { i })]);
      expectObservable(merged).toBe('i-', { i });
      expectObservable(merged, '-^').toBe('-i-', { i });
    });
  });
});
