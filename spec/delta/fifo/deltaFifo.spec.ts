import { afterEach, describe, expect, it, jest } from '@jest/globals';
import {
  concat,
  concatMap,
  defer,
  EMPTY,
  from,
  NEVER,
  type Observable,
  of,
  range,
  Subject,
  take,
  throwError,
  timer,
  type Unsubscribable,
} from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { InformerError } from '../../../src/api/errors/informerError.js';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import type { Deltas, ResourceChange, ResourceEvent, SourceEvent } from '../../../src/api/events.js';
import { createIndexer } from '../../../src/cache/store/createIndexer.js';
import { createDeltaFifo } from '../../../src/delta/fifo/createDeltaFifo.js';
import { deltaFifo } from '../../../src/delta/fifo/deltaFifo.js';
import { type DeltaFifoOptions, type DeltaProcessor, type ListBoundary, RequeueError } from '../../../src/delta/fifo/deltaProcessor.js';
import { processDeltas, type StoreProcessor } from '../../../src/delta/index/processDeltas.js';
import { shareWithSnapshot } from '../../../src/delta/share/shareWithSnapshot.js';
import { reflect } from '../../../src/source/reflector/reflect.js';
import { FakeListerWatcher } from '../../../src/testing/fakes/fakeListerWatcher.js';
import { briefDeltas } from './deltas.js';
import { added, bookmark, brief, createStrictFollower, deleted, init, list, modified, page, type Pod, pod, ready } from '../pods.js';
import { flattenChanges } from '../share/flattenChanges.js';

const createTestScheduler = () => new TestScheduler((actual, expected) => expect(actual).toEqual(expected));

const a1 = pod('a', '1');
const b2 = pod('b', '2');
const c3 = pod('c', '3');

/** One item that the process got, and the way to end it. */
interface Call {
  readonly item: string;
  readonly initial: boolean;
  end(error?: Error): void;
  isRunning(): boolean;
}

/** What `setUp` subscribed to: an item that failed would wait for its next attempt when the spec is over. */
const subscriptions: Unsubscribable[] = [];
afterEach(() => subscriptions.splice(0).forEach((subscription) => subscription.unsubscribe()));

/** A source, and a process whose every item waits until it is let go. */
function setUp(options: DeltaFifoOptions<Pod> & { extras?: Partial<DeltaProcessor<Pod, string>> } = {}) {
  const { extras = {}, ...rest } = options;
  const source = new Subject<SourceEvent<Pod>>();
  const calls: Call[] = [];
  const seen: string[] = [];
  const process: DeltaProcessor<Pod, string> = Object.assign((deltas: Deltas<Pod>, initial: boolean) => {
    const gate = new Subject<never>();
    const end = (error?: Error) => {
      if (error === undefined) gate.complete();
      else gate.error(error);
    };
    calls.push({ item: briefDeltas(deltas), initial, end, isRunning: () => gate.observed });
    return gate;
  }, extras);
  const subscription = source.pipe(deltaFifo(process, rest)).subscribe({
    next: (value) => seen.push(value),
    error: (error: unknown) => seen.push(`# ${error instanceof Error ? error.message : String(error)}`),
    complete: () => seen.push('|'),
  });
  subscriptions.push(subscription);
  const send = (...events: readonly SourceEvent<Pod>[]) => events.forEach((event) => source.next(event));
  /** Ends items one after the other, and tells which. */
  const letGo = (count = Infinity): string[] => {
    const items: string[] = [];
    for (; items.length < count;) {
      const call = calls.shift();
      if (call === undefined) break;
      items.push(call.item);
      call.end();
    }
    return items;
  };
  return { source, calls, seen, subscription, send, letGo };
}

/** Makes every item of a store's process take some time. */
function slowed(apply: StoreProcessor<Pod>, delayOf: (deltas: Deltas<Pod>) => number): DeltaProcessor<Pod, ResourceChange<Pod>> {
  return Object.assign(
    (...[deltas, ...rest]: Parameters<typeof apply>): Observable<ResourceChange<Pod>> =>
      timer(delayOf(deltas)).pipe(concatMap(() => apply(deltas, ...rest))),
    apply,
  );
}

describe('deltaFifo', () => {
  it('hands out one item at a time, with everything that happened to its object meanwhile (DF-03, DF-17)', () => {
    const { calls, send, letGo } = setUp();
    send(...list('3', [a1, b2]), modified(pod('b', '4')), added(c3), modified(pod('a', '5')), deleted(pod('b', '6')));
    expect(calls.map(({ item }) => item)).toEqual(['Replaced a@1']);
    expect(letGo()).toEqual(['Replaced a@1', 'Replaced b@2, Updated b@4, Deleted b@6', 'Added c@3', 'Updated a@5']);
  });

  it('emits what the results of the process emit, in virtual time', () => {
    createTestScheduler().run(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const source = hot('  -(ipr)----m---|', { i: init(), p: page([a1, b2]), r: ready('3'), m: modified(pod('a', '9')) });
      const subs = '        ^-------------!';
      const work = '         --x-|';
      const expected = '     ---a---b----c-|';
      const process = (deltas: Deltas<Pod>) => cold(work, { x: briefDeltas(deltas) });
      expectObservable(source.pipe(deltaFifo(process))).toBe(expected, { a: 'Replaced a@1', b: 'Replaced b@2', c: 'Updated a@9' });
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('never shows a half-received list, and queues the whole one in one step (DF-06)', () => {
    const { calls, send, letGo } = setUp();
    send(init(), page([a1, b2]), added(c3), modified(pod('b', '4')), deleted(pod('a', '5')));
    expect(calls).toEqual([]);
    send(ready('6'));
    expect(letGo()).toEqual(['Replaced b@4', 'Replaced c@3']);
  });

  it('abandons a half-received list when another begins', () => {
    const { send, letGo } = setUp();
    send(init(), page([a1, b2]), ...list('9', [c3]));
    expect(letGo()).toEqual(['Replaced c@3']);
  });

  it('drops a half-received list when the source completes', () => {
    const { source, seen, calls, send } = setUp();
    send(init(), page([a1]));
    source.complete();
    expect([seen, calls]).toEqual([['|'], []]);
  });

  it('compresses what waits as told', () => {
    const { send, letGo } = setUp({ compress: 'latest' });
    send(...list('3', [a1, b2]), modified(pod('b', '4')), modified(pod('b', '5')), modified(pod('a', '6')), deleted(pod('a', '7')));
    expect(letGo()).toEqual(['Replaced a@1', 'Updated b@5', 'Deleted a@7']);
  });

  it('lets bookmarks and the state of the link pass by (AF-09)', () => {
    const reached: string[] = [];
    const { calls, send, letGo } = setUp({ extras: { caughtUp: (resourceVersion) => reached.push(resourceVersion) } });
    send(bookmark('1'), { type: 'status', state: 'listing' }, ...list('3', [a1]), bookmark('7'));
    expect(calls).toHaveLength(1);
    expect(reached).toEqual([]);
    letGo();
    expect(reached).toEqual(['7']);
    send(bookmark('8'), init(), bookmark('9'), page([a1]));
    expect(reached).toEqual(['7', '8']);
  });

  it('says nothing of versions that the source does not know', () => {
    const reached: string[] = [];
    const { send } = setUp({ extras: { caughtUp: (version) => void reached.push(version) } });
    send(init(), ready(''), init(), ready('5'));
    expect(reached).toEqual(['5']);
  });

  it('says that nothing waits after the list of each scope, also when two have one version', () => {
    const reached: string[] = [];
    const { send, letGo } = setUp({ scopes: ['n', 'm'], extras: { caughtUp: (resourceVersion) => reached.push(resourceVersion) } });
    for (const scope of ['n', 'm']) {
      send({ ...init(), scope }, { ...ready('3'), scope });
      letGo();
    }
    expect(reached).toEqual(['3', '3']);
  });

  it('hands on why an object has left that was not deleted', () => {
    const source = new Subject<SourceEvent<Pod>>();
    const seen: unknown[] = [];
    source.pipe(deltaFifo((deltas: Deltas<Pod>) => (seen.push(...deltas), EMPTY))).subscribe();
    const left: SourceEvent<Pod> = { type: 'deleted', scope: '', object: pod('a', '5'), resourceVersion: '5', reason: 'moved' };
    [...list('3', [a1]), left].forEach((event) => source.next(event));
    expect(seen.at(-1)).toMatchObject({ type: 'Deleted', key: 'default/a', finalStateUnknown: true, reason: 'moved' });
  });

  it('ignores the deletion of what is neither queued nor known (DF-05)', () => {
    const { send, letGo } = setUp();
    send(...list('3', [a1]), deleted(pod('x', '4')));
    expect(letGo()).toEqual(['Replaced a@1']);
    send(deleted(pod('a', '5')), deleted(pod('a', '6')));
    expect(letGo()).toEqual(['Deleted a@5']);
  });

  describe('with a list that lacks something', () => {
    it('deletes what was handed out before, with its last state (DF-07)', () => {
      const { send, letGo } = setUp();
      send(...list('3', [a1, b2]), modified(pod('a', '4')));
      letGo();
      send(...list('9', [b2]));
      expect(letGo()).toEqual(['Replaced b@2', 'Deleted a@4?']);
      send(...list('10', [b2]));
      expect(letGo()).toEqual(['Replaced b@2']);
    });

    it('deletes what waits and what is being processed (DF-07, AF-12)', () => {
      const { send, letGo } = setUp();
      send(...list('3', [a1, b2, c3]), ...list('9', [c3]));
      expect(letGo()).toEqual(['Replaced a@1', 'Replaced b@2, Deleted b@2?', 'Replaced c@3, Replaced c@3', 'Deleted a@1?']);
    });

    it('deletes what is being processed and has not arrived in the known objects', () => {
      const indexer = createIndexer<Pod>();
      const { send, letGo } = setUp({ knownObjects: indexer });
      send(...list('3', [a1]), ...list('9', []));
      expect(letGo()).toEqual(['Replaced a@1', 'Deleted a@1?']);
    });

    it('does not delete what is being deleted (RF-05)', () => {
      const { send, letGo } = setUp();
      send(...list('3', [a1]));
      letGo();
      send(deleted(pod('a', '4')), ...list('9', []));
      expect(letGo()).toEqual(['Deleted a@4']);
    });

    it('deletes what the process or the caller knows from before (DF-07, DF-08)', () => {
      const theirs = createIndexer<Pod>({ initialObjects: [a1] });
      const mine = { listKeys: () => ['default/x'], getByKey: () => undefined };
      const byProcess = setUp({ extras: { knownObjects: theirs } });
      const byCaller = setUp({ extras: { knownObjects: theirs }, knownObjects: mine });
      for (const { send } of [byProcess, byCaller]) send(...list('9', []));
      expect([byProcess.letGo(), byCaller.letGo()]).toEqual([['Deleted a@1?'], ['Deleted x@?']]);
    });

    it('deletes only what its scope held', () => {
      const inN = (name: string, version: string) => pod(name, version, { namespace: 'n' });
      const inM = (name: string, version: string) => pod(name, version, { namespace: 'm' });
      const { send, letGo } = setUp({ scopes: ['n', 'm'] });
      send(...list('3', [inN('a', '1'), inN('b', '1')], 'n'), ...list('4', [inM('c', '2')], 'm'), added(inN('d', '5'), 'n'));
      letGo(2);
      send(...list('9', [inN('b', '1')], 'n'));
      expect(letGo()).toEqual(['Replaced c@2', 'Added d@5, Deleted d@5?', 'Replaced b@1', 'Deleted a@1?']);
      send(deleted(inN('b', '10'), 'm'), ...list('11', [], 'm'));
      expect(letGo()).toEqual(['Deleted c@2?']);
    });

    it('deletes what was there before and one scope has listed and lost once, although another scope is complete only then', () => {
      const known = { listKeys: () => ['default/a'], getByKey: (key: string) => (key === 'default/a' ? a1 : undefined) };
      const { send, letGo } = setUp({ scopes: ['n', 'm'], knownObjects: known });
      send(...list('3', [a1], 'n'), ...list('4', [], 'n'));
      expect(letGo()).toEqual(['Replaced a@1', 'Deleted a@1?']);
      send(...list('5', [], 'm'));
      expect(letGo()).toEqual([]);
    });

    it('deletes nothing again of which its scope has told the deletion', () => {
      const { send, letGo } = setUp({ scopes: ['n', 'm'] });
      send(...list('3', [a1, b2], 'n'), ...list('4', [], 'm'), deleted(pod('a', '5'), 'n'));
      expect(letGo()).toEqual(['Replaced a@1', 'Replaced b@2', 'Deleted a@5']);
      send(...list('9', [b2], 'n'));
      expect(letGo()).toEqual(['Replaced b@2']);
    });
  });

  describe('the end of a list', () => {
    const recorded = () => {
      const boundaries: ListBoundary[] = [];
      return {
        boundaries,
        extras: {
          listed: (boundary: ListBoundary) => {
            boundaries.push(boundary);
            return [`listed ${boundary.resourceVersion}`];
          },
        },
      };
    };

    it('is told when the last initial item has been processed, and items are initial until then (DF-11, DF-12)', () => {
      const { boundaries, extras } = recorded();
      const { calls, seen, send, letGo } = setUp({ extras });
      send(init('', '1'), page([a1, b2]), ready('3'), added(c3));
      const initial: boolean[] = [];
      for (const expected of [[], [], ['listed 3']]) {
        expect(seen).toEqual(expected);
        initial.push(...calls.map((call) => call.initial));
        letGo(1);
      }
      expect(initial).toEqual([true, true, false]);
      expect(boundaries).toEqual([{ scope: '', resourceVersion: '3', previousResourceVersion: '1', synced: true }]);
    });

    it('says what was reached before it, where the list does not', () => {
      const { boundaries, extras } = recorded();
      const { send, letGo } = setUp({ extras });
      send(...list('3', [a1]), added(pod('b', '7')), ...list('9', [b2]));
      letGo();
      expect(boundaries.map(({ previousResourceVersion }) => previousResourceVersion)).toEqual(['', '7']);
    });

    it('is told at once for an empty list (DF-11, AF-05)', () => {
      const { extras } = recorded();
      const { seen, send } = setUp({ extras });
      send(...list('3', []));
      expect(seen).toEqual(['listed 3']);
    });

    it('is told for each later list behind everything that it and the earlier ones brought', () => {
      const { extras } = recorded();
      const { seen, calls, send, letGo } = setUp({ extras });
      send(...list('3', [a1, b2]), added(c3), ...list('9', [b2, c3]));
      const order: string[] = [];
      while (calls.length > 0) {
        order.push(...letGo(1), ...seen.splice(0));
      }
      expect(order).toEqual([
        'Replaced a@1',
        'Replaced b@2, Replaced b@2',
        'listed 3',
        'Added c@3, Replaced c@3',
        'Deleted a@1?',
        'listed 9',
      ]);
    });

    it('waits for all scopes before the first list counts as processed', () => {
      const { boundaries, extras } = recorded();
      const { calls, send } = setUp({ extras, scopes: ['n', 'm'] });
      const initial: boolean[] = [];
      const letGo = () => {
        for (let call = calls.shift(); call !== undefined; call = calls.shift()) {
          initial.push(call.initial);
          call.end();
        }
      };
      send(...list('3', [a1], 'n'), modified(pod('a', '4'), 'n'));
      letGo();
      send(...list('5', [b2], 'm'), modified(pod('a', '6'), 'n'));
      letGo();
      expect(initial).toEqual([true, true, true, false]);
      expect(boundaries.map(({ scope, synced }) => [scope, synced])).toEqual([
        ['n', false],
        ['m', true],
      ]);
    });

    it('is told before anything else is begun, however many items may be processed at once', () => {
      const gate = new Subject<string>();
      const { calls, send, letGo } = setUp({ concurrent: 3, extras: { listed: () => gate } });
      send(...list('3', [a1, b2]), added(c3));
      expect(calls.map(({ item }) => item)).toEqual(['Replaced a@1', 'Replaced b@2']);
      letGo();
      expect(calls).toEqual([]);
      gate.complete();
      expect(letGo()).toEqual(['Added c@3']);
    });
  });

  describe('with a higher concurrent', () => {
    it('begins nothing behind a list before the list has been processed', () => {
      const listed: string[] = [];
      const { calls, send } = setUp({
        concurrent: 2,
        extras: {
          listed: ({ resourceVersion }) => {
            listed.push(resourceVersion);
            return EMPTY;
          },
        },
      });
      send(...list('3', []), added(a1), ...list('5', [pod('a', '4')]), added(c3));
      expect(calls.map(({ item }) => item)).toEqual(['Added a@1']);
      calls[0]?.end();
      expect(calls.map(({ item }) => item).slice(1)).toEqual(['Replaced a@4']);
      calls[1]?.end();
      expect(listed).toEqual(['3', '5']);
      expect(calls.map(({ item }) => item).slice(2)).toEqual(['Added c@3']);
    });

    it('processes several items at once, never two of one key', () => {
      const { calls, send, letGo } = setUp({ concurrent: 2 });
      send(...list('3', [a1]), modified(pod('a', '4')));
      letGo(1);
      send(added(b2), added(c3), modified(pod('a', '5')));
      expect(calls.map(({ item }) => item)).toEqual(['Updated a@4', 'Added b@2']);
      calls[1]?.end();
      expect(calls.map(({ item }) => item).slice(2)).toEqual(['Added c@3']);
      calls[2]?.end();
      expect(calls).toHaveLength(3);
      calls[0]?.end();
      expect(calls.map(({ item }) => item).slice(3)).toEqual(['Updated a@5']);
    });

    it('looks at what waits for its key once, however many are processed at once', () => {
      const looksAt = (count: number): number => {
        const { calls, send } = setUp({ concurrent: Infinity });
        const names = Array.from({ length: count }, (_, at) => `p${at}`);
        send(...list('1', []), ...names.map((name) => added(pod(name, '2'))));
        const looks = jest.spyOn(Map.prototype, 'has');
        send(...names.map((name) => modified(pod(name, '3'))));
        for (const call of calls.slice(0, count)) call.end();
        const { length } = looks.mock.calls;
        looks.mockRestore();
        expect(calls.slice(count).map(({ item }) => item)).toEqual(names.map((name) => `Updated ${name}@3`));
        return length;
      };
      expect(looksAt(400)).toBeLessThan(3 * looksAt(200));
    });
  });

  describe('when it is resynced', () => {
    it('queues each known object of which there is no news, once the first list has been processed (DF-10, RF-08)', () => {
      const resync$ = new Subject<void>();
      const { send, letGo, calls } = setUp({ resync$ });
      send(...list('3', [a1, b2, c3]));
      resync$.next();
      letGo();
      send(modified(pod('a', '4')), modified(pod('b', '5')));
      resync$.next();
      resync$.next();
      expect(calls).toHaveLength(1);
      expect(letGo()).toEqual(['Updated a@4', 'Updated b@5', 'Sync c@3']);
    });

    it('queues nothing before the first list', () => {
      const resync$ = new Subject<void>();
      const { calls } = setUp({ resync$, knownObjects: createIndexer<Pod>({ initialObjects: [a1] }) });
      resync$.next();
      expect(calls).toEqual([]);
    });

    it('fails with the error of the notifier, and is left with the result', () => {
      const resync$ = new Subject<void>();
      const { seen } = setUp({ resync$ });
      resync$.error(new Error('no clock'));
      expect(seen).toEqual(['# no clock']);
      const other = new Subject<void>();
      setUp({ resync$: other }).subscription.unsubscribe();
      expect(other.observed).toBe(false);
    });
  });

  describe('with a process that fails', () => {
    const broken = () => {
      throw new Error('broken');
    };

    it.each<[string, () => Observable<never> | Promise<never>]>([
      ['throws', broken],
      ['returns something that fails', () => throwError(() => new Error('broken'))],
    ])('reports it when it %s, loses the item and goes on (DF-16, CT-03)', (_, fail) => {
      const errors: InformerError[] = [];
      const seen: string[] = [];
      const process = (deltas: Deltas<Pod>) => (deltas[0]?.key === 'default/a' ? fail() : of(briefDeltas(deltas)));
      from(list('3', [a1, b2]))
        .pipe(deltaFifo(process, { onError: (error) => errors.push(error), resource: 'pods' }))
        .subscribe((item) => seen.push(item));
      expect(seen).toEqual(['Replaced b@2']);
      expect(errors.map(({ code, key, message, resource }) => [code, key, message, resource])).toEqual([
        ['ERR_HANDLER', 'default/a', 'Processing pods "default/a" failed: broken', 'pods'],
      ]);
    });

    it('ends with the error when there is nobody to report to', () => {
      const { seen, calls, send, source } = setUp();
      send(...list('3', [a1, b2]));
      calls[0]?.end(new Error('broken'));
      expect(seen).toEqual(['# Processing objects "default/a" failed: broken']);
      expect([source.observed, calls.length]).toEqual([false, 1]);
    });

    it('hands the item out again after a while, at the end of the queue, when it asks for that', () => {
      createTestScheduler().run(({ cold, hot, expectObservable }) => {
        const source = hot('  (ipr)-----|', { i: init(), p: page([a1, b2]), r: ready('3') });
        const expected = '    b-------a-|';
        let attempts = 0;
        const process = (deltas: Deltas<Pod>): Observable<string> => {
          if (deltas[0]?.key !== 'default/a') return of('b');
          attempts += 1;
          if (attempts < 3) throw new RequeueError();
          return cold('(a|)');
        };
        expectObservable(source.pipe(deltaFifo(process, { retryDelayMs: 4 }))).toBe(expected);
      });
    });

    it('has not failed when it is to be handed out again without a cause', () => {
      const errors: InformerError[] = [];
      const { calls, send } = setUp({ onError: (error) => errors.push(error) });
      send(...list('3', [a1]));
      calls[0]?.end(new RequeueError());
      expect(errors).toEqual([]);
    });

    it('goes on, where nobody asks for errors, with an item that failed and will be handed out again', () => {
      const { calls, seen, send } = setUp({ retryOnError: true });
      send(...list('3', [a1, b2]));
      calls[0]?.end(new Error('broken'));
      expect([seen, calls.map(({ item }) => item)]).toEqual([[], ['Replaced a@1', 'Replaced b@2']]);
    });

    it('hands every item that failed out again with retryOnError, and reports it', () => {
      createTestScheduler().run(({ hot, expectObservable, flush }) => {
        const errors: InformerError[] = [];
        const source = hot('  (ipr)|', { i: init(), p: page([a1]), r: ready('3') });
        const expected = '    1s    (a|)';
        let attempts = 0;
        const process = (deltas: Deltas<Pod>) => {
          attempts += 1;
          return attempts === 1 ? broken() : of(briefDeltas(deltas));
        };
        const result = source.pipe(deltaFifo(process, { retryOnError: true, onError: (error) => errors.push(error) }));
        expectObservable(result).toBe(expected, { a: 'Replaced a@1' });
        flush();
        expect(errors.map(({ code, key }) => [code, key])).toEqual([['ERR_HANDLER', 'default/a']]);
      });
    });

    it('drops the item for something newer of its key', () => {
      const { calls, send, letGo } = setUp({ retryOnError: true, retryDelayMs: 0 });
      send(...list('3', [a1]), modified(pod('a', '4')));
      calls.shift()?.end(new Error('broken'));
      expect(letGo()).toEqual(['Updated a@4']);
    });

    it('adds what comes while it waits, and does not hand it out before its time', () => {
      createTestScheduler().run(({ hot, expectObservable }) => {
        const source = hot('  (ipr)--m----|', { i: init(), p: page([a1]), r: ready('3'), m: modified(pod('a', '4')) });
        const expected = '    ---------a--|';
        let attempts = 0;
        const process = (deltas: Deltas<Pod>) => {
          attempts += 1;
          if (attempts === 1) throw new RequeueError(new Error('not now'));
          return of(briefDeltas(deltas));
        };
        expectObservable(source.pipe(deltaFifo(process, { retryDelayMs: 9 }))).toBe(expected, { a: 'Replaced a@1, Updated a@4' });
      });
    });

    it('counts the item as processed, as far as the end of its list is concerned', () => {
      const { seen, calls, send } = setUp({ onError: () => undefined, extras: { listed: () => ['listed'] } });
      send(...list('3', [a1]));
      calls[0]?.end(new RequeueError());
      expect(seen).toEqual(['listed']);
    });

    it('reports what it tells of, after its results', () => {
      const order: string[] = [];
      const process: DeltaProcessor<Pod, string> = (_, __, context) => {
        context?.report(new InformerError({ code: 'ERR_TRANSFORM', message: 'a part of it' }));
        return of('result');
      };
      from(list('3', [a1]))
        .pipe(deltaFifo(process, { onError: ({ message }) => order.push(message) }))
        .subscribe((value) => order.push(value));
      expect(order).toEqual(['result', 'a part of it']);
    });

    it('reports what fails at the end of a list or when nothing waits', () => {
      const errors: string[] = [];
      const { send, letGo } = setUp({ onError: ({ message }) => errors.push(message), extras: { listed: broken, caughtUp: broken } });
      send(...list('3', [a1]));
      letGo();
      expect(errors).toEqual(['Processing a list of objects failed: broken', 'Processing a list of objects failed: broken']);
      send(added(b2));
      expect(letGo()).toEqual(['Added b@2']);
    });

    it.each([
      ['at the end of a list', { listed: broken }],
      ['when nothing waits', { caughtUp: broken }],
    ])('ends with what fails %s, without onError', (_, extras) => {
      const { seen, send, letGo } = setUp({ extras });
      send(...list('3', [a1]));
      letGo();
      expect(seen).toEqual(['# Processing a list of objects failed: broken']);
    });

    it("ends with the error for which onError returns 'stop'", () => {
      const { seen, calls, send } = setUp({ onError: () => 'stop' });
      send(...list('3', [a1]));
      calls[0]?.end(new Error('broken'));
      expect(seen).toEqual([expect.stringMatching(/^# Processing .* failed: broken$/)]);
    });

    it('ends with what onError throws', () => {
      const { seen, calls, send } = setUp({
        onError: () => {
          throw new Error('worse');
        },
      });
      send(...list('3', [a1]));
      calls[0]?.end(new Error('broken'));
      expect(seen).toEqual(['# worse']);
    });
  });

  it('reports objects without a key and leaves them out, or ends with the first one', () => {
    const keyless = { metadata: {} } as unknown as Pod;
    const errors: InformerError[] = [];
    const tolerant = setUp({ onError: (error) => errors.push(error) });
    tolerant.send(...list('3', [keyless, a1]), added(keyless));
    expect(tolerant.letGo()).toEqual(['Replaced a@1']);
    expect(errors.map(({ code }) => code)).toEqual(['ERR_KEY', 'ERR_KEY']);
    const strict = setUp();
    strict.send(...list('3', [keyless, a1]));
    expect(strict.seen).toEqual([expect.stringContaining('# An object of objects has no key and is left out')]);
  });

  it('reports known objects that cannot be read', () => {
    const errors: InformerError[] = [];
    const knownObjects = {
      listKeys: () => ['default/a'],
      getByKey: () => {
        throw new Error('no answer');
      },
    };
    const { send, letGo } = setUp({ knownObjects, onError: (error) => errors.push(error) });
    send(...list('3', []));
    expect(letGo()).toEqual(['Deleted a@?']);
    expect(errors.map(({ code, key }) => [code, key])).toEqual([['ERR_KEY', 'default/a']]);
  });

  describe('ends', () => {
    it('when the source has completed and everything queued has been processed', () => {
      const { source, seen, send, letGo } = setUp();
      send(...list('3', [a1, b2]));
      source.complete();
      letGo(1);
      expect(seen).toEqual([]);
      letGo();
      expect(seen).toEqual(['|']);
    });

    it('at once with an error of the source; what waits is dropped (CT-02)', () => {
      const { source, seen, calls, send } = setUp();
      send(...list('3', [a1, b2]));
      source.error(new Error('stopped'));
      expect(seen).toEqual(['# stopped']);
      expect(calls[0]?.isRunning()).toBe(false);
      expect(calls).toHaveLength(1);
    });

    it('with the source and the process when it is unsubscribed (CT-01, CT-02)', () => {
      const { source, calls, subscription, send, letGo } = setUp();
      send(...list('3', [a1, b2]));
      subscription.unsubscribe();
      expect([source.observed, calls[0]?.isRunning()]).toEqual([false, false]);
      expect(letGo()).toEqual(['Replaced a@1']);
    });

    it('without a call to onError after that', () => {
      const errors: InformerError[] = [];
      const process: DeltaProcessor<Pod, string> = (_, __, context) => {
        context?.report(new InformerError({ code: 'ERR_TRANSFORM', message: 'a part of it' }));
        return of('result');
      };
      const seen: string[] = [];
      from(list('3', [a1]))
        .pipe(deltaFifo(process, { onError: (error) => errors.push(error) }), take(1))
        .subscribe((value) => seen.push(value));
      expect([seen, errors]).toEqual([['result'], []]);
    });

    it('in the middle of an item and of a list when a subscriber has enough', () => {
      const items: string[] = [];
      const process = (deltas: Deltas<Pod>) => {
        items.push(briefDeltas(deltas));
        return range(0, Infinity);
      };
      const seen: number[] = [];
      from(list('3', [a1, b2]))
        .pipe(deltaFifo(process), take(1))
        .subscribe((value) => seen.push(value));
      expect([items, seen]).toEqual([['Replaced a@1'], [0]]);
    });
  });

  it('takes any result: promises, iterables, and none', async () => {
    const seen: unknown[] = [];
    const process: DeltaProcessor<Pod, string> = (deltas) => {
      if (deltas[0]?.key === 'default/a') return;
      return deltas[0]?.key === 'default/b' ? Promise.resolve('promised') : ['iterated'];
    };
    await new Promise<void>((complete) => {
      from(list('3', [a1, b2, c3]))
        .pipe(deltaFifo(process))
        .subscribe({ next: (value) => seen.push(value), complete });
    });
    expect(seen).toEqual(['promised', 'iterated']);
  });

  it('does not nest when a result makes the source emit, nor when many items end at once', () => {
    const source = new Subject<SourceEvent<Pod>>();
    const order: string[] = [];
    const process = (deltas: Deltas<Pod>) => {
      order.push(`begin ${briefDeltas(deltas)}`);
      return of(briefDeltas(deltas));
    };
    source.pipe(deltaFifo(process)).subscribe((item) => {
      if (item === 'Replaced a@1') source.next(modified(pod('b', '4')));
      order.push(`end ${item}`);
    });
    for (const event of list('3', [a1, b2])) source.next(event);
    expect(order).toEqual(['begin Replaced a@1', 'end Replaced a@1', 'begin Replaced b@2, Updated b@4', 'end Replaced b@2, Updated b@4']);

    const gate = new Subject<never>();
    let count = 0;
    const many = Array.from({ length: 20_000 }, (_, at) => pod(`p${at}`, '1'));
    from(list('3', many))
      .pipe(
        deltaFifo(() => {
          count += 1;
          return count === 1 ? gate : EMPTY;
        }),
      )
      .subscribe();
    gate.complete();
    expect(count).toBe(20_000);
  });

  it('keeps two subscriptions apart', () => {
    const operator = deltaFifo((deltas: Deltas<Pod>) => of(briefDeltas(deltas)));
    const seen: string[] = [];
    concat(of(init(), page([b2])), NEVER)
      .pipe(operator)
      .subscribe();
    for (let times = 0; times < 2; times += 1) {
      from(list('3', [a1]))
        .pipe(operator)
        .subscribe((item) => seen.push(item));
    }
    expect(seen).toEqual(['Replaced a@1', 'Replaced a@1']);
  });

  it('remembers nothing of ten thousand objects that came and went (RF-12)', () => {
    const resync$ = new Subject<void>();
    const source = new Subject<SourceEvent<Pod>>();
    const items: string[] = [];
    let processed = 0;
    source
      .pipe(
        deltaFifo(
          (deltas: Deltas<Pod>) => {
            processed += 1;
            items.push(briefDeltas(deltas));
          },
          { resync$ },
        ),
      )
      .subscribe();
    for (const event of list('1', [])) source.next(event);
    for (let at = 0; at < 10_000; at += 1) {
      source.next(added(pod(`p${at}`, '1')));
      source.next(deleted(pod(`p${at}`, '2')));
    }
    expect(processed).toBe(20_000);
    items.length = 0;
    // Whatever it still believed to exist, or to be at work, would show.
    resync$.next();
    for (const event of list('2', [])) source.next(event);
    expect(items).toEqual([]);
    for (let at = 0; at < 10_000; at += 1) source.next(added(pod(`p${at}`, '3')));
    items.length = 0;
    resync$.next();
    expect(items).toHaveLength(10_000);
  });

  it('plays nine interleaved events of three pods past a paused process', () => {
    const userPod = (name: string, resourceVersion: string, users: string, uid = `uid-${name}`) => ({
      metadata: { namespace: 'default', name, uid, resourceVersion, annotations: { users } },
    });
    type UserPod = ReturnType<typeof userPod>;
    const one = userPod('one', '1', 'ernie,bert');
    const two = userPod('two', '2', 'bert,oscar');
    const tre = userPod('tre', '3', 'ernie,elmo');
    const steps: [type: 'add' | 'update' | 'delete', object: UserPod][] = [
      ['add', one],
      ['add', two],
      ['update', userPod('one', '4', 'ernie,bert,elmo')],
      ['add', tre],
      ['delete', userPod('one', '5', 'ernie,bert,elmo')],
      ['update', userPod('two', '6', 'oscar')],
      ['add', userPod('one', '7', 'elmo', 'another')],
      ['update', userPod('tre', '8', 'ernie')],
      ['delete', userPod('two', '9', 'oscar')],
    ];
    const byUser = (object: UserPod) => object.metadata.annotations.users.split(',');
    const whole = [
      'Added one@1, Updated one@4, Deleted one@5, Added one@7',
      'Added two@2, Updated two@6, Deleted two@9',
      'Added tre@3, Updated tre@8',
    ];

    // The queue alone.
    const queueIndexer = createIndexer<UserPod>({ indexers: { byUser } });
    const queue = createDeltaFifo<UserPod>({ knownObjects: queueIndexer });
    for (const [type, object] of steps) queue[type](object);
    expect(queue.listKeys()).toEqual(['default/one', 'default/two', 'default/tre']);
    expect(queue.list().map(briefDeltas)).toEqual(whole);
    while (queue.tryPop(processDeltas(queueIndexer)) !== undefined);

    // The operator: the process is held by another pod.
    const gate = new Subject<never>();
    const indexer = createIndexer<UserPod>({ indexers: { byUser } });
    const apply = processDeltas(indexer);
    const items: string[] = [];
    const events: string[] = [];
    const paused: DeltaProcessor<UserPod, ResourceChange<UserPod>> = Object.assign(
      (...[deltas, ...rest]: Parameters<typeof apply>): Observable<ResourceChange<UserPod>> => {
        items.push(briefDeltas(deltas));
        return concat(
          gate,
          defer(() => apply(deltas, ...rest)),
        );
      },
      apply,
    );
    const source = new Subject<SourceEvent<UserPod>>();
    source.pipe(deltaFifo(paused), flattenChanges()).subscribe((event) => events.push(brief(event)));
    const type = { add: 'added', update: 'modified', delete: 'deleted' } as const;
    source.next({ type: 'init', scope: '', reason: 'first', previousResourceVersion: '' });
    source.next({ type: 'page', items: [userPod('held', '0', 'bert')] });
    source.next({ type: 'ready', scope: '', resourceVersion: '0' });
    for (const [step, object] of steps) {
      source.next({ type: type[step], object, resourceVersion: object.metadata.resourceVersion });
    }
    expect(items).toEqual(['Replaced held@0']);
    gate.complete();
    expect(items.slice(1)).toEqual(whole);
    expect(events).toEqual(['+default/held@0 initial', 'synced@0', '+default/one@7', '+default/tre@8']);
    const users = (user: string) =>
      [queueIndexer, indexer].map((store) => store.byIndex('byUser', user).map(({ metadata }) => metadata.name));
    expect(users('ernie')).toEqual([['tre'], ['tre']]);
    expect(users('elmo')).toEqual([['one'], ['one']]);
    expect(users('bert')).toEqual([[], ['held']]);
    expect(users('oscar')).toEqual([[], []]);
    expect(indexer.lastStoreSyncResourceVersion()).toBe('9');
  });

  describe('with processDeltas', () => {
    it('is a reflector into a queue into a store, without any informer (DF-01, CT-01)', () => {
      createTestScheduler().run(({ flush }) => {
        const server = new FakeListerWatcher<Pod>({ bookmarkIntervalMs: Infinity });
        server.add(pod('a', ''));
        const indexer = createIndexer<Pod>();
        const seen: string[] = [];
        const events = reflect(server).pipe(deltaFifo(processDeltas(indexer)), shareWithSnapshot(indexer), flattenChanges());
        const subscription = events.subscribe((event) => seen.push(event.type));
        server.add(pod('b', ''));
        server.delete('default/a');
        expect(seen).toEqual(['added', 'synced', 'added', 'deleted']);
        const late: string[] = [];
        subscription.add(events.subscribe((event) => late.push(event.type === 'synced' ? 'synced' : event.key)));
        expect(late).toEqual(['default/b', 'synced']);
        expect(server.openWatches).toBe(1);
        subscription.unsubscribe();
        expect(server.openWatches).toBe(0);
        flush();
      });
    });

    it('tells synced when the last initial item has been processed, and again after a later list (CT-12)', () => {
      createTestScheduler().run(({ hot, expectObservable }) => {
        const indexer = createIndexer<Pod>();
        const lists = { i: init(), p: page([a1, b2]), r: ready('3'), j: init('', '3'), q: page([pod('b', '7')]), s: ready('9') };
        const source = hot<SourceEvent<Pod>>('(ipr)-----(jqs)', lists);
        const expected = '                    --a-(bx)----c-(dy)';
        const process = slowed(processDeltas(indexer), () => 2);
        const added = { type: 'added', initial: true, inferred: false } as const;
        expect(indexer.lastStoreSyncResourceVersion()).toBe('');
        expectObservable(source.pipe(deltaFifo(process), flattenChanges())).toBe(expected, {
          a: { ...added, key: 'default/a', object: a1 },
          b: { ...added, key: 'default/b', object: b2 },
          x: { type: 'synced', resourceVersion: '3', previousResourceVersion: '' },
          c: { type: 'updated', key: 'default/b', object: pod('b', '7'), oldObject: b2, resync: false, inferred: true },
          d: { type: 'deleted', key: 'default/a', object: a1, finalStateUnknown: true, inferred: true },
          y: { type: 'synced', resourceVersion: '9', previousResourceVersion: '3' },
        });
      });
    });

    it('compares contents, not versions, where a list is older than what came before it', () => {
      const changes: string[] = [];
      const source = new Subject<SourceEvent<Pod>>();
      source
        .pipe(deltaFifo(processDeltas(createIndexer<Pod>())))
        .subscribe(({ events }) => changes.push(...events.map(({ type, object }) => `${type} ${object.value ?? ''}`)));
      const listed = (version: string, value: string): void =>
        list(version, [pod('a', '5', { value })]).forEach((event) => source.next(event));
      for (const [version, value] of [
        ['8', 'x'],
        ['9', 'y'],
        ['7', 'z'],
      ] as const)
        listed(version, value);
      expect(changes).toEqual(['added x', 'updated z']);
    });

    it('gives the store a version up to which nothing is missing', () => {
      const indexer = createIndexer<Pod>();
      const apply = processDeltas(indexer);
      const gates: Subject<never>[] = [];
      const process: DeltaProcessor<Pod, ResourceChange<Pod>> = Object.assign((...args: Parameters<typeof apply>) => {
        const gate = new Subject<never>();
        gates.push(gate);
        return concat(
          gate,
          defer(() => apply(...args)),
        );
      }, apply);
      const source = new Subject<SourceEvent<Pod>>();
      source.pipe(deltaFifo(process)).subscribe();
      const versions: string[] = [];
      const letGo = () => {
        gates.shift()?.complete();
        versions.push(indexer.lastStoreSyncResourceVersion());
      };
      for (const event of list('3', [a1])) source.next(event);
      letGo();
      // The newer version of a overtakes b.
      for (const event of [modified(pod('a', '4')), added(pod('b', '5')), modified(pod('a', '6'))]) source.next(event);
      letGo();
      letGo();
      letGo();
      expect(versions).toEqual(['3', '3', '3', '6']);
    });

    it('fits in where scanToIndex does, for any kind of object', () => {
      const indexer = createIndexer<KubernetesObject>();
      const source: Observable<SourceEvent<KubernetesObject>> = from(list('3', [a1]));
      const result: Observable<ResourceEvent<KubernetesObject>> = source.pipe(
        deltaFifo(processDeltas(indexer)),
        shareWithSnapshot(indexer),
        flattenChanges(),
      );
      const keys: string[] = [];
      result.subscribe((event) => keys.push(event.type));
      expect(keys).toEqual(['added', 'synced']);
    });
  });

  it('names what is wrong with its options', () => {
    const process = () => EMPTY;
    const bad = (options: unknown) => () => deltaFifo(process, options as DeltaFifoOptions<Pod>);
    expect(() => deltaFifo('process' as never)).toThrow(new TypeError('Expected `process` of `deltaFifo` to be a function, got "process"'));
    expect(bad({ compress: 1 })).toThrow(new TypeError("Expected `compress` of `deltaFifo` to be 'duplicateDeletes' or 'latest', got 1"));
    expect(bad({ concurrent: 0 })).toThrow(new TypeError('Expected `concurrent` of `deltaFifo` to be an integer >= 1 or Infinity, got 0'));
    expect(bad({ concurrent: 1.5 })).toThrow(
      new TypeError('Expected `concurrent` of `deltaFifo` to be an integer >= 1 or Infinity, got 1.5'),
    );
    expect(bad({ retryDelayMs: -1 })).toThrow(
      new TypeError('Expected `retryDelayMs` of `deltaFifo` to be a number of milliseconds >= 0 or Infinity, got -1'),
    );
    expect(bad({ retryOnError: 'yes' })).toThrow(new TypeError('Expected `retryOnError` of `deltaFifo` to be a boolean, got "yes"'));
    expect(bad({ resync$: 1000 })).toThrow(new TypeError('Expected `resync$` of `deltaFifo` to be an Observable, got 1000'));
    expect(bad({ scopes: 7 })).toThrow(
      new TypeError('Expected `scopes` of `deltaFifo` to be iterable more than once, as a list or a Set is, got 7'),
    );
    expect(bad({ scopes: new Set(['n']).values() })).toThrow('Expected `scopes` of `deltaFifo` to be iterable more than once');
    expect(bad({ onError: 7 })).toThrow(new TypeError('Expected `onError` of `deltaFifo` to be a function, got 7'));
    expect(bad({ knownObjects: 7 })).toThrow(
      new TypeError('Expected `knownObjects` of `deltaFifo` to be an object with the methods listKeys and getByKey, got 7'),
    );
    expect(bad({ scheduler: {} })).toThrow(new TypeError('Expected `scheduler` of `deltaFifo` to be an RxJS scheduler, got an object'));
  });

  it('shows one that subscribes in a handler, in the middle of an item, each change once', () => {
    const indexer = createIndexer<Pod>();
    const late = createStrictFollower<Pod>();
    let joining = false;
    const gates: Subject<never>[] = [];
    const apply = processDeltas(indexer, {
      onUpdate: () => {
        if (!joining) return;
        joining = false;
        changes.subscribe(late.follow);
      },
    });
    const slowly: DeltaProcessor<Pod, ResourceChange<Pod>> = Object.assign((...args: Parameters<typeof apply>) => {
      const gate = new Subject<never>();
      gates.push(gate);
      return concat(
        gate,
        defer(() => apply(...args)),
      );
    }, apply);
    const source = new Subject<SourceEvent<Pod>>();
    const changes = source.pipe(deltaFifo(slowly), shareWithSnapshot(indexer), flattenChanges());
    changes.subscribe();
    const letGo = (): void => gates.splice(0).forEach((gate) => gate.complete());
    for (const event of list('3', [a1, b2])) source.next(event);
    letGo();
    letGo();
    for (const event of [modified(pod('b', '4')), modified(pod('a', '5')), modified(pod('a', '6'))]) source.next(event);
    letGo();
    joining = true;
    letGo();
    source.next(modified(pod('a', '7')));
    letGo();
    expect(late.misfits).toEqual([]);
    expect(late.known).toEqual(new Map(indexer.listKeys().map((key) => [key, indexer.getByKey(key)])));
    expect(late.known.size).toBe(2);
  });
});
