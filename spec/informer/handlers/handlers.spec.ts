import { describe, expect, it } from '@jest/globals';
import { Subject, VirtualTimeScheduler } from 'rxjs';
import type { SourceEvent } from '../../../src/api/events.js';
import type { InformerError } from '../../../src/api/errors/informerError.js';
import type { HandlerOptions } from '../../../src/informer/sharedInformer.js';
import { createInformer } from '../../../src/informer/createInformer.js';
import type { SharedInformer } from '../../../src/informer/sharedInformer.js';
import { FakeListerWatcher } from '../../../src/testing/fakes/fakeListerWatcher.js';
import { added, deleted, init, list, modified, page, type Pod, pod, ready } from '../../delta/pods.js';
import { outcome, scripted, settle } from '../scripted.js';

const a1 = pod('a', '1');
const b2 = pod('b', '2');

function recording(result: () => unknown = () => undefined) {
  const calls: string[] = [];
  const id = ({ metadata }: Pod) => `${metadata.name}@${metadata.resourceVersion ?? ''}`;
  const say = (text: string): unknown => {
    calls.push(text);
    return result();
  };
  return {
    calls,
    handler: {
      onAdd: (object: Pod, isInInitialList: boolean) => say(`add ${id(object)}${isInInitialList ? ' initial' : ''}`),
      onUpdate: (oldObject: Pod, object: Pod) => say(`update ${id(oldObject)} ${id(object)}`),
      onDelete: (object: Pod, finalStateUnknown: boolean) => say(`delete ${id(object)}${finalStateUnknown ? ' unknown' : ''}`),
    },
  };
}

/** A promise for each call, settled by hand. */
function gate() {
  const waiting: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  return {
    wait: () => new Promise<void>((resolve, reject) => waiting.push({ resolve, reject })),
    open: async () => {
      waiting.shift()?.resolve();
      await settle();
    },
    fail: async (error: unknown) => {
      waiting.shift()?.reject(error);
      await settle();
    },
  };
}

function errorsOf(informer: SharedInformer<Pod>): InformerError[] {
  const errors: InformerError[] = [];
  informer.error$.subscribe((error) => errors.push(error));
  return errors;
}

describe('addEventHandler', () => {
  it('tells a handler from before the start every initial object as such, and later ones not (SI-09, SI-12)', () => {
    const { informer, send } = scripted();
    const { handler, calls } = recording();
    informer.addEventHandler(handler);
    informer.start();
    send(...list('3', [a1]), added(b2), modified(pod('a', '4')), deleted(pod('b', '5')), ...list('9', [pod('c', '8')]));
    expect(calls).toEqual(['add a@1 initial', 'add b@2', 'update a@1 a@4', 'delete b@5', 'delete a@4 unknown', 'add c@8']);
  });

  it('tells a late handler its snapshot as initial (SI-11)', () => {
    const { informer, send } = scripted();
    informer.start();
    send(...list('3', [a1, b2]));
    const { handler, calls } = recording();
    informer.addEventHandler(handler);
    send(modified(pod('a', '4')));
    expect(calls).toEqual(['add a@1 initial', 'add b@2 initial', 'update a@1 a@4']);
  });

  it('does with any of the functions, or none (EH-01)', () => {
    const { informer, send } = scripted();
    const { handler, calls } = recording();
    informer.addEventHandler({});
    informer.addEventHandler({ onDelete: handler.onDelete });
    informer.start();
    send(...list('3', [a1]), modified(pod('a', '4')), deleted(pod('a', '5')));
    expect(calls).toEqual(['delete a@5']);
  });

  it('calls functions as methods of their handler', () => {
    const { informer, send } = scripted();
    class Counter {
      count = 0;
      onAdd(): void {
        this.count += 1;
      }
    }
    const counter = new Counter();
    informer.addEventHandler(counter);
    informer.start();
    send(...list('3', [a1]));
    expect(counter.count).toBe(1);
  });

  it('keeps registrations of one handler apart (SI-14)', () => {
    const { informer, send } = scripted();
    const { handler, calls } = recording();
    const first = informer.addEventHandler(handler);
    informer.addEventHandler(handler);
    informer.start();
    send(...list('3', [a1]));
    expect(calls).toEqual(['add a@1 initial', 'add a@1 initial']);
    first.remove();
    send(modified(pod('a', '4')));
    expect(calls).toHaveLength(3);
  });

  it('does not keep the informer running, and tells the difference when it runs again', () => {
    const { informer, send, isRunning } = scripted();
    const { handler, calls } = recording();
    informer.addEventHandler(handler);
    const subscription = informer.resource$.subscribe();
    send(...list('3', [a1, b2]));
    subscription.unsubscribe();
    expect(isRunning()).toBe(false);
    calls.length = 0;
    const late = recording();
    informer.addEventHandler(late.handler);
    informer.start();
    send(...list('9', [a1, pod('c', '8')]));
    expect(calls).toEqual(['delete b@2 unknown', 'add c@8']);
    expect(late.calls).toEqual(['add a@1 initial', 'add c@8 initial']);
  });

  it('hands a missed deletion over as the object, not as something that stands for it (EH-04)', () => {
    const { informer, send } = scripted();
    const gone: [Pod, boolean][] = [];
    informer.addEventHandler({ onDelete: (object, finalStateUnknown) => gone.push([object, finalStateUnknown]) });
    informer.start();
    send(...list('3', [a1]), ...list('4', []));
    expect(gone).toEqual([[a1, true]]);
  });

  it('says why an object has left that was not deleted', () => {
    const source$ = new Subject<SourceEvent<Pod>>();
    const informer = createInformer<Pod>(source$);
    const gone: unknown[][] = [];
    informer.addEventHandler({ onDelete: (...args) => gone.push(args) });
    informer.start();
    for (const event of list('3', [a1, pod('b', '2')])) source$.next(event);
    source$.next({ ...deleted(a1), reason: 'moved' } as SourceEvent<Pod>);
    source$.next(deleted(pod('b', '4')));
    expect(gone).toEqual([
      [a1, true, 'moved'],
      [pod('b', '4'), false],
    ]);
  });

  it('loses nothing of a source that answers while it is being started (SI-30)', () => {
    const source = new FakeListerWatcher<Pod>({ bookmarkIntervalMs: Infinity });
    source.add(pod('a', ''));
    const informer = createInformer<Pod>(source);
    const { handler, calls } = recording();
    informer.addEventHandler(handler);
    informer.start();
    expect(calls).toEqual(['add a@2 initial']);
    void informer.stop();
  });

  it('tells a filtering handler what crosses its filter (EH-02)', () => {
    const { informer, send } = scripted();
    const { handler, calls } = recording();
    informer.addEventHandler(handler, { filter: ({ value }) => value === 'on' });
    informer.start();
    send(...list('3', [pod('a', '1', { value: 'on' }), pod('b', '2', { value: 'off' })]));
    send(modified(pod('a', '4', { value: 'off' })), modified(pod('b', '5', { value: 'on' })), deleted(pod('a', '6')));
    expect(calls).toEqual(['add a@1 initial', 'delete a@1', 'add b@5']);
  });

  it.each<[string, unknown, HandlerOptions<Pod>, string]>([
    [
      'no handler',
      undefined,
      {},
      'Expected the handler of `addEventHandler` to be an object with onAdd, onUpdate or onDelete, got undefined',
    ],
    [
      'a function',
      () => undefined,
      {},
      'Expected the handler of `addEventHandler` to be an object with onAdd, onUpdate or onDelete, got a function',
    ],
    ['a wrong function', { onAdd: 1 }, {}, 'Expected `onAdd` of `addEventHandler` to be a function, got 1'],
    ['a wrong filter', {}, { filter: 'x' as never }, 'Expected `filter` of `addEventHandler` to be a function, got "x"'],
    [
      'a wrong period',
      {},
      { resyncPeriodMs: -5 },
      'Expected `resyncPeriodMs` of `addEventHandler` to be a number of milliseconds >= 0 or Infinity, got -5',
    ],
    ['a wrong slice', {}, { sliceMs: 0 }, 'Expected `sliceMs` of `addEventHandler` to be a number of milliseconds > 0 or Infinity, got 0'],
    ['a wrong capacity', {}, { capacity: 0 }, 'Expected `capacity` of `addEventHandler` to be an integer >= 1, got 0'],
  ])('refuses %s', (_, handler, options, message) => {
    const { informer } = scripted();
    expect(() => informer.addEventHandler(handler as object, options)).toThrow(new TypeError(message));
  });

  describe('with a handler that throws', () => {
    it('reports, skips that event and goes on; the others do not notice (SP-04)', () => {
      const { informer, send } = scripted();
      const errors = errorsOf(informer);
      const { handler, calls } = recording();
      informer.addEventHandler({
        onAdd: () => {
          throw new Error('broken');
        },
        onUpdate: handler.onUpdate,
      });
      const other = recording();
      informer.addEventHandler(other.handler);
      informer.start();
      send(...list('3', [a1]), modified(pod('a', '4')));
      expect(errors).toEqual([
        expect.objectContaining({ code: 'ERR_HANDLER', resource: 'pods', key: 'default/a', cause: new Error('broken') }),
      ]);
      expect(calls).toEqual(['update a@1 a@4']);
      expect(other.calls).toEqual(['add a@1 initial', 'update a@1 a@4']);
    });

    it('still becomes synced (SI-17)', () => {
      const { informer, send } = scripted();
      const registration = informer.addEventHandler({
        onAdd: () => {
          throw new Error('broken');
        },
      });
      informer.start();
      send(...list('3', [a1]));
      expect(registration.hasSynced()).toBe(true);
    });
  });

  describe('with a slow handler', () => {
    it('calls it for one event at a time, in order, and nobody waits for it (SI-13, SP-01)', async () => {
      const { informer, send } = scripted();
      const { wait, open } = gate();
      const { handler, calls } = recording(wait);
      const quick = recording();
      informer.addEventHandler(handler);
      informer.addEventHandler(quick.handler);
      informer.start();
      send(...list('3', [a1]), modified(pod('a', '4')), deleted(pod('a', '5')));
      expect(quick.calls).toHaveLength(3);
      expect(calls).toEqual(['add a@1 initial']);
      await open();
      expect(calls).toEqual(['add a@1 initial', 'update a@1 a@4']);
      await open();
      expect(calls).toHaveLength(3);
    });

    it('reports a promise that rejects, and goes on', async () => {
      const { informer, send } = scripted();
      const errors = errorsOf(informer);
      const { wait, fail } = gate();
      const { handler, calls } = recording(wait);
      informer.addEventHandler(handler, { name: 'slow one' });
      informer.start();
      send(...list('3', [a1, b2]));
      await fail(new Error('timed out'));
      expect(errors.map(({ code, message }) => [code, message])).toEqual([
        ['ERR_HANDLER', 'The handler slow one failed at added default/a: timed out'],
      ]);
      expect(calls).toHaveLength(2);
    });

    it.each([
      ['unbounded', {}, ['update a@1 a@4', 'update a@4 a@5', 'delete b@6']],
      ['conflate', { buffer: 'conflate' }, ['update a@1 a@5', 'delete b@6']],
      ['catchUp', { buffer: 'catchUp', capacity: 2 }, ['delete b@2 unknown', 'update a@1 a@5']],
    ] as const)('buffers what happens meanwhile: %s', async (_, options, expected) => {
      const { informer, send } = scripted();
      const { wait, open } = gate();
      const { handler, calls } = recording(wait);
      informer.addEventHandler(handler, options);
      informer.start();
      send(...list('3', [a1, b2]));
      await open();
      send(modified(pod('a', '4')), modified(pod('a', '5')), deleted(pod('b', '6')));
      for (let count = 0; count < 5; count += 1) await open();
      expect(calls.slice(2)).toEqual(expected);
    });

    it('removes one whose buffer has no room, and says so', async () => {
      const { informer, send } = scripted();
      const errors = errorsOf(informer);
      const { wait, open } = gate();
      const { handler, calls } = recording(wait);
      const registration = informer.addEventHandler(handler, { buffer: 'error', capacity: 1 });
      informer.start();
      send(...list('3', [a1]), modified(pod('a', '4')), modified(pod('a', '5')));
      expect(errors.map(({ code, resource }) => [code, resource])).toEqual([['ERR_OVERFLOW', 'pods']]);
      await open();
      await registration.removed;
      expect(calls).toEqual(['add a@1 initial']);
    });
  });

  describe('hasSynced and whenSynced', () => {
    it('wait for the informer and for the last initial object (SI-16, SY-01)', async () => {
      const { informer, send } = scripted();
      const { wait, open } = gate();
      const registration = informer.addEventHandler(recording(wait).handler);
      const synced = outcome(registration.whenSynced());
      informer.start();
      send(...list('3', [a1, b2]));
      expect([informer.hasSynced(), registration.hasSynced()]).toEqual([true, false]);
      await open();
      expect(registration.hasSynced()).toBe(false);
      await open();
      expect([registration.hasSynced(), synced.value]).toEqual([true, 'resolved']);
    });

    it('are false right after a late registration until its snapshot is processed (SI-16, SY-02)', async () => {
      const { informer, send } = scripted();
      informer.start();
      send(...list('3', [a1]));
      const { wait, open } = gate();
      const registration = informer.addEventHandler(recording(wait).handler);
      expect(registration.hasSynced()).toBe(false);
      await open();
      expect(registration.hasSynced()).toBe(true);
      expect(informer.addEventHandler({}).hasSynced()).toBe(true);
    });

    it('do not start the informer, and can be bounded', async () => {
      const scheduler = new VirtualTimeScheduler();
      const { informer, isRunning } = scripted({ scheduler });
      const registration = informer.addEventHandler({}, { name: 'mine' });
      const waiting = outcome(registration.whenSynced({ timeoutMs: 50 }));
      const aborted = outcome(registration.whenSynced({ signal: AbortSignal.abort(new Error('no')) }));
      scheduler.flush();
      await settle();
      expect([waiting.value, aborted.value]).toEqual(['InformerError: The handler mine did not sync within 50 ms', 'Error: no']);
      expect(isRunning()).toBe(false);
    });

    it('reject when the handler is removed or the informer stopped', async () => {
      const { informer } = scripted();
      const removed = informer.addEventHandler({});
      const stopped = informer.addEventHandler({});
      const outcomes = [outcome(removed.whenSynced()), outcome(stopped.whenSynced())];
      removed.remove();
      await informer.stop();
      await settle();
      expect(outcomes.map(({ value }) => value)).toEqual([
        'InformerError: The handler pods handler 1 was removed before it had synced',
        'InformerError: The handler pods handler 2 was removed before it had synced',
      ]);
    });
  });

  describe('remove', () => {
    it('drops what waits; the call that runs goes on, and removed waits for it (SI-20, SI-21)', async () => {
      const { informer, send } = scripted();
      const { wait, open } = gate();
      const { handler, calls } = recording(wait);
      const registration = informer.addEventHandler(handler);
      informer.start();
      send(...list('3', [a1, b2]));
      registration.remove();
      const removed = outcome(registration.removed);
      await settle();
      expect(removed.value).toBe('pending');
      await open();
      expect([removed.value, calls]).toEqual(['resolved', ['add a@1 initial']]);
    });

    it('can be called again, and after stop (SI-19)', async () => {
      const { informer } = scripted();
      const registration = informer.addEventHandler({});
      registration.remove();
      registration.remove();
      await informer.stop();
      registration.remove();
      await expect(registration.removed).resolves.toBeUndefined();
    });

    it('does not stop the informer, also for the last handler (SI-22)', () => {
      const { informer, isRunning } = scripted();
      informer.start();
      informer.addEventHandler({}).remove();
      expect(isRunning()).toBe(true);
    });

    it('works from inside the handler', () => {
      const { informer, send } = scripted();
      const calls: string[] = [];
      const registration = informer.addEventHandler({
        onAdd: () => {
          calls.push('add');
          registration.remove();
        },
      });
      informer.start();
      send(...list('3', [a1, b2]));
      expect(calls).toEqual(['add']);
    });
  });

  it('tells nothing after stop, and stopped waits for the call that runs (SI-03, SP-05)', async () => {
    const { informer, send } = scripted();
    const { wait, open } = gate();
    const { handler, calls } = recording(wait);
    informer.addEventHandler(handler);
    informer.start();
    send(...list('3', [a1, b2]));
    await informer.stop();
    const stopped = outcome(informer.stopped);
    await settle();
    expect(stopped.value).toBe('pending');
    await open();
    await informer.stopped;
    expect(calls).toEqual(['add a@1 initial']);
  });

  it('lets handlers come and go while events flow (SI-29)', () => {
    const { informer, send } = scripted();
    const calls: string[] = [];
    let count = 0;
    const join = (): void => {
      count += 1;
      const mine = count;
      if (mine > 30) return;
      const registration = informer.addEventHandler({
        onUpdate: () => {
          calls.push(`${mine}`);
          join();
          if (mine % 2 === 0) registration.remove();
        },
      });
    };
    join();
    informer.start();
    send(...list('3', [a1]), ...Array.from({ length: 8 }, (_, index) => modified(pod('a', String(index + 4)))));
    expect(count).toBeGreaterThan(20);
    expect(calls.filter((call) => call === '1')).toHaveLength(8);
    expect(calls.filter((call) => call === '2')).toHaveLength(1);
  });

  it('tells nothing before the first list is complete (AF-01)', () => {
    const { informer, send } = scripted();
    const { handler, calls } = recording();
    const registration = informer.addEventHandler(handler);
    informer.start();
    send(init(), page([a1]));
    expect([calls, registration.hasSynced()]).toEqual([[], false]);
    send(ready('3'));
    expect([calls, registration.hasSynced()]).toEqual([['add a@1 initial'], true]);
  });

  it('calls `then` of a lazy thenable once, and goes on behind one that throws', async () => {
    const { informer, send } = scripted();
    const calls: string[] = [];
    let queries = 0;
    const lazy = {
      then: (resolve: () => void): void => {
        queries += 1;
        resolve();
      },
    };
    const broken = Object.defineProperty({}, 'then', {
      get: () => {
        throw new Error('no such field');
      },
    });
    const errors: string[] = [];
    informer.error$.subscribe(({ message }) => errors.push(message));
    informer.addEventHandler(
      {
        onAdd: ({ metadata }) => {
          calls.push(metadata.name);
          return metadata.name === 'a' ? lazy : broken;
        },
      },
      { name: 'db' },
    );
    informer.start();
    send(...list('3', [pod('a', '1'), pod('b', '2'), pod('c', '3')]));
    await settle();
    await settle();
    expect([calls, queries]).toEqual([['a', 'b', 'c'], 1]);
    expect(errors).toEqual(Array.from({ length: 2 }, (_, at) => `The handler db failed at added default/${'bc'[at]}: no such field`));
  });

  it('gets nothing more when it stops its informer in its snapshot, and is removed', async () => {
    const { informer, send } = scripted();
    informer.start();
    send(...list('3', [a1, b2]));
    const { handler, calls } = recording(() => informer.stop());
    const removed = outcome(informer.addEventHandler(handler).removed);
    await settle();
    expect(calls).toEqual(['add a@1 initial']);
    expect(removed.value).toBe('resolved');
  });

  it('may stop its informer, and wait for that', async () => {
    const { informer, send } = scripted();
    const ends: string[] = [];
    informer.addEventHandler({
      onAdd: async () => {
        await Promise.resolve();
        await informer.stop();
        ends.push('stopped');
      },
    });
    informer.start();
    send(...list('3', [pod('a', '1')]));
    await informer.stopped;
    expect(ends).toEqual(['stopped']);
  });

  it('refuses functions that no handler has, but not what an instance of a class needs', () => {
    const { informer } = scripted();
    expect(() => informer.addEventHandler({ add: () => undefined } as never)).toThrow(
      new TypeError('Unknown option `add` of `addEventHandler`; it has `onAdd`, `onUpdate`, `onDelete`'),
    );
    class Counter {
      count = 0;
      onAdd(): void {
        this.count += 1;
      }
    }
    expect(informer.addEventHandler(new Counter()).hasSynced()).toBe(false);
    const wrong = Object.assign(new Counter(), { onUpdate: 5 });
    expect(() => informer.addEventHandler(wrong as never)).toThrow('Expected `onUpdate` of `addEventHandler` to be a function, got 5');
    expect(() => informer.addEventHandler({}, { resyncPeriod: 5 } as never)).toThrow(
      new TypeError('Unknown option `resyncPeriod` of `addEventHandler`; did you mean `resyncPeriodMs`?'),
    );
  });
});
