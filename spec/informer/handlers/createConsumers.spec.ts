import { describe, expect, it } from '@jest/globals';
import { concat, NEVER, Observable, of, type SchedulerLike, Subject, throwError, VirtualTimeScheduler } from 'rxjs';
import type { InformerError } from '../../../src/api/errors/informerError.js';
import { added, brief, createStrictFollower, deleted, list, modified, type Pod, pod } from '../../delta/pods.js';
import { collect, outcome, scripted, settle } from '../scripted.js';

const a1 = pod('a', '1');
const b2 = pod('b', '2');

describe('events', () => {
  it('hands a large snapshot over in slices, and everything in order', () => {
    const virtual = new VirtualTimeScheduler();
    let spent = 0;
    const scheduler: SchedulerLike = { now: () => virtual.now() + spent, schedule: virtual.schedule.bind(virtual) };
    const { informer, send } = scripted({ scheduler });
    const seen: string[] = [];
    informer.events({ sliceMs: 10 }).subscribe((event) => {
      spent += 4;
      seen.push(brief(event));
    });
    send(...list('9', [a1, b2, pod('c', '3'), pod('d', '4')]), modified(pod('a', '10')));
    expect(seen).toEqual(['+default/a@1 initial', '+default/b@2 initial', '+default/c@3 initial']);
    virtual.flush();
    expect(seen.slice(3)).toEqual(['+default/d@4 initial', 'synced@9', '~default/a@10<1']);
    send(deleted(pod('a', '11')));
    expect(seen.at(-1)).toBe('-default/a@11');
  });

  it('drops what waits when the informer is stopped', async () => {
    const virtual = new VirtualTimeScheduler();
    let spent = 0;
    const scheduler: SchedulerLike = { now: () => virtual.now() + spent, schedule: virtual.schedule.bind(virtual) };
    const { informer, send } = scripted({ scheduler });
    const { seen } = collect(
      new Observable((subscriber) =>
        informer.events({ sliceMs: 1 }).subscribe({
          next: (event) => {
            spent += 5;
            subscriber.next(event);
          },
          complete: () => subscriber.complete(),
        }),
      ),
    );
    send(...list('3', [a1, b2]));
    await informer.stop();
    virtual.flush();
    expect(seen).toEqual(['+default/a@1 initial', '|']);
  });

  it('refuses slices of no time', () => {
    const { informer } = scripted();
    expect(() => informer.events({ sliceMs: 0 })).toThrow(
      new TypeError('Expected `sliceMs` of `events` to be a number of milliseconds > 0 or Infinity, got 0'),
    );
  });
});

describe('process', () => {
  it('runs work for one event at a time, in order, and emits what it emits', () => {
    const { informer, send } = scripted();
    const running: Subject<string>[] = [];
    const begun: string[] = [];
    const results: string[] = [];
    informer
      .process((event) => {
        begun.push(brief(event));
        const work = new Subject<string>();
        running.push(work);
        return work;
      })
      .subscribe((result) => results.push(result));
    send(...list('3', [a1]), modified(pod('a', '4')));
    expect(begun).toEqual(['+default/a@1 initial']);
    running[0]?.next('half');
    running[0]?.next('done');
    running[0]?.complete();
    expect(begun).toEqual(['+default/a@1 initial', 'synced@3']);
    running[1]?.complete();
    expect([begun.at(-1), results]).toEqual(['~default/a@4<1', ['half', 'done']]);
  });

  it('keeps every event for a slow consumer in order, a missed deletion with its object, and lets it go at once (TW-13)', () => {
    const { informer, send, isRunning } = scripted();
    const begun: string[] = [];
    const turns: Subject<void>[] = [];
    const consumer = informer
      .process((event) => {
        begun.push(brief(event));
        const turn = new Subject<void>();
        turns.push(turn);
        return turn;
      })
      .subscribe();
    const rounds = Array.from({ length: 2_000 }, (_, at) => modified(pod('a', String(at + 10))));
    send(...list('3', [a1, b2]), ...rounds, deleted(pod('a', '5000')), ...list('5001', []));
    for (let at = 0; at < 2_005; at += 1) turns[at]?.complete();
    expect(begun.slice(0, 5)).toEqual(['+default/a@1 initial', '+default/b@2 initial', 'synced@3', '~default/a@10<1', '~default/a@11<10']);
    expect(begun.slice(2_002)).toEqual([
      '~default/a@2009<2008',
      '-default/a@5000',
      '-default/b@2 finalStateUnknown inferred',
      'synced@5001',
    ]);
    consumer.unsubscribe();
    expect([isRunning(), begun.length]).toEqual([false, 2_006]);
  });

  it('goes on after work that throws, and after work that fails, and reports both', () => {
    const { informer, send } = scripted();
    const errors: InformerError[] = [];
    informer.error$.subscribe((error) => errors.push(error));
    const results: string[] = [];
    informer
      .process((event) => {
        if (event.type === 'added') throw new Error('thrown');
        if (event.type === 'synced')
          return concat(
            of('first'),
            throwError(() => new Error('failed')),
          );
        return of('fine');
      })
      .subscribe((result) => results.push(result));
    send(...list('3', [a1]), modified(pod('a', '4')));
    expect(results).toEqual(['first', 'fine']);
    expect(errors.map(({ code, key, message }) => [code, key, message])).toEqual([
      ['ERR_HANDLER', 'default/a', 'The work failed at added default/a: thrown'],
      ['ERR_HANDLER', undefined, 'The work failed at synced: failed'],
    ]);
  });

  it('takes promises, arrays and other inputs of Observables', async () => {
    const { informer, send } = scripted();
    const results: string[] = [];
    informer
      .process<string>((event) => (event.type === 'added' ? Promise.resolve('promise') : ['array', 'of two']))
      .subscribe((result) => results.push(result));
    send(...list('3', [a1]));
    await settle();
    expect(results).toEqual(['promise', 'array', 'of two']);
  });

  it('does not grow the stack with work that is done at once', () => {
    const { informer, send } = scripted();
    let count = 0;
    informer.process(() => of((count += 1))).subscribe();
    send(...list('1', []), ...Array.from({ length: 5000 }, (_, index) => added(pod(`p${index}`, '2'))));
    expect(count).toBe(5001);
  });

  it('conflates what happens while it works', () => {
    const { informer, send } = scripted();
    const gate = new Subject<never>();
    const begun: string[] = [];
    informer
      .process(
        (event) => {
          begun.push(brief(event));
          return begun.length === 1 ? gate : [];
        },
        { buffer: 'conflate' },
      )
      .subscribe();
    send(...list('3', [a1]), modified(pod('a', '4')), modified(pod('a', '5')), added(b2), deleted(pod('b', '6')));
    gate.complete();
    expect(begun).toEqual(['+default/a@1 initial', 'synced@3', '~default/a@5<1']);
  });

  it('fails where its buffer has no room, and the informer goes on', () => {
    const { informer, send, isRunning } = scripted();
    informer.start();
    const failures: unknown[] = [];
    informer.process(() => NEVER, { buffer: 'error', capacity: 1 }).subscribe({ error: (error: unknown) => failures.push(error) });
    send(...list('3', [a1]), modified(pod('a', '4')), modified(pod('a', '5')));
    expect(failures).toEqual([expect.objectContaining({ code: 'ERR_OVERFLOW' })]);
    expect(isRunning()).toBe(true);
  });

  it('abandons its work when it is unsubscribed', () => {
    const { informer, send } = scripted();
    let abandoned = 0;
    const subscription = informer.process(() => new Observable(() => () => (abandoned += 1))).subscribe();
    send(...list('3', [a1]));
    subscription.unsubscribe();
    expect(abandoned).toBe(1);
  });

  it('lets stopped wait for promises of its work', async () => {
    const { informer, send } = scripted();
    let finish: () => void = () => undefined;
    informer.process(() => new Promise<void>((resolve) => (finish = resolve))).subscribe();
    send(...list('3', []));
    await informer.stop();
    const stopped = outcome(informer.stopped);
    await settle();
    expect(stopped.value).toBe('pending');
    finish();
    await informer.stopped;
    await settle();
    expect(stopped.value).toBe('resolved');
  });

  it('refuses work that is no function', () => {
    const { informer } = scripted();
    expect(() => informer.process('work' as never)).toThrow(new TypeError('Expected `work` of `process` to be a function, got "work"'));
    expect(() => informer.process(() => [], { buffer: 'all' as never })).toThrow(TypeError);
  });

  describe('a consumer that drops what waits', () => {
    it('is told nothing twice when it becomes free in the middle of a change', () => {
      const { informer, send } = scripted();
      const late = createStrictFollower<Pod>();
      let free: (() => void) | undefined;
      // Called first, and frees the other subscriber in the middle of the turn: the cache has changed, but the other one has not been
      // notified.
      informer.resource$.subscribe(() => {
        const release = free;
        free = undefined;
        release?.();
      });
      let slow = false;
      informer
        .process(
          (event) => {
            late.follow(event);
            return slow ? new Observable<never>((subscriber) => void (free = () => subscriber.complete())) : [];
          },
          { buffer: 'catchUp', capacity: 1 },
        )
        .subscribe();
      send(...list('3', [a1]));
      slow = true;
      for (let version = 4; version < 12; version += 1) {
        const release = free;
        free = undefined;
        send(added(pod(`b${version}`, String(version))));
        free ??= release;
        send(modified(pod('a', String(100 + version))));
      }
      slow = false;
      for (let round = 0; round < 20; round += 1) free?.();
      send(modified(pod('a', '200')));
      expect(late.misfits).toEqual([]);
      expect(late.known).toEqual(new Map(informer.indexer.listKeys().map((key) => [key, informer.indexer.getByKey(key)])));
    });
  });
});
