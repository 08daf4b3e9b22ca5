import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type SchedulerAction, type SchedulerLike, type Subscription, VirtualTimeScheduler } from 'rxjs';
import { createInformer } from '../../../src/informer/createInformer.js';
import type { InformerOptions } from '../../../src/informer/informerOptions.js';
import { FakeListerWatcher } from '../../../src/testing/fakes/fakeListerWatcher.js';
import { brief, list, modified, type Pod, pod } from '../../delta/pods.js';
import { scripted } from '../scripted.js';

const a1 = pod('a', '1');

function timed(options: InformerOptions<Pod>) {
  const scheduler = new VirtualTimeScheduler();
  const warnings: string[] = [];
  const script = scripted({ scheduler, logger: { warn: (message) => warnings.push(message) }, ...options });
  /** Runs until this time: intervals never end, so running until idle would not return. */
  const runTo = (ms: number): void => {
    scheduler.maxFrames = ms;
    scheduler.flush();
  };
  /** Adds a handler that records its resyncs. */
  const listen = (resyncPeriodMs?: number) => {
    const at: number[] = [];
    const registration = script.informer.addEventHandler(
      { onUpdate: (oldObject, object) => oldObject === object && at.push(scheduler.now()) },
      { resyncPeriodMs },
    );
    return { at, registration };
  };
  return { ...script, scheduler, warnings, runTo, listen };
}

describe('resync', () => {
  it('tells every cached object as an update of itself (RP-07, AF-08)', () => {
    const { informer, send, runTo } = timed({ resyncPeriodMs: 1000 });
    const seen: string[] = [];
    const others: unknown[] = [];
    informer.resource$.subscribe((event) => {
      seen.push(brief(event));
      if (event.type === 'updated' && event.object !== informer.indexer.getByKey(event.key)) others.push(event.object);
    });
    send(...list('3', [a1, pod('b', '2')]));
    seen.length = 0;
    runTo(2000);
    expect(others).toEqual([]);
    expect(seen).toEqual(['~default/a@1<1 resync', '~default/b@2<2 resync', '~default/a@1<1 resync', '~default/b@2<2 resync']);
  });

  it('asks the server nothing (RS-02)', () => {
    const scheduler = new VirtualTimeScheduler();
    const server = new FakeListerWatcher({ scheduler });
    server.add({ metadata: { namespace: 'default', name: 'a' } });
    const informer = createInformer(server, { scheduler, resyncPeriodMs: 10_000 });
    let resyncs = 0;
    informer.resource$.subscribe((event) => {
      if (event.type === 'updated' && event.resync) resyncs += 1;
    });
    scheduler.maxFrames = 60_000;
    scheduler.flush();
    expect(resyncs).toBe(6);
    expect(server.requests).toHaveLength(1);
  });

  it('does not happen without a period, and a handler that asks for one is warned (RP-01, CT-14)', () => {
    const { informer, send, runTo, listen, warnings } = timed({});
    const { at } = listen(5000);
    informer.start();
    send(...list('3', [a1]));
    runTo(20_000);
    expect(at).toEqual([]);
    expect(warnings).toEqual(['rx-informer: pods: a resync period of 5000 ms has no effect, as the informer has none']);
  });

  it('raises a period below a second to a second (RP-02)', () => {
    const { informer, send, runTo, listen } = timed({ resyncPeriodMs: 10_000 });
    const { at } = listen(10);
    informer.start();
    send(...list('3', [a1]));
    runTo(3000);
    expect(at).toEqual([1000, 2000, 3000]);
  });

  it('lets a handler from before the start make the check more frequent (RP-03)', () => {
    const { informer, send, runTo, listen } = timed({ resyncPeriodMs: 10_000 });
    const usual = listen();
    const often = listen(3000);
    informer.start();
    send(...list('3', [a1]));
    runTo(12_000);
    expect(often.at).toEqual([3000, 6000, 9000, 12_000]);
    // Ten seconds, rounded up to a multiple of three.
    expect(usual.at).toEqual([12_000]);
  });

  it('raises the period of a handler from after the start to the check period (RP-04)', () => {
    const { informer, send, runTo, listen, warnings } = timed({ resyncPeriodMs: 4000 });
    informer.start();
    send(...list('3', [a1]));
    const { at } = listen(2000);
    runTo(8000);
    expect(at).toEqual([4000, 8000]);
    expect(warnings).toEqual([expect.stringContaining('a resync period of 2000 ms is raised to 4000 ms')]);
  });

  it('leaves out a handler with the period 0, whatever the others want (RP-05)', () => {
    const { informer, send, runTo, listen } = timed({ resyncPeriodMs: 1000 });
    const never = listen(0);
    const always = listen();
    informer.start();
    send(...list('3', [a1]));
    runTo(3000);
    expect([never.at, always.at]).toEqual([[], [1000, 2000, 3000]]);
  });

  it('rounds periods up to a multiple of the check period (RP-06)', () => {
    const { informer, send, runTo, listen } = timed({ resyncPeriodMs: 2000 });
    const { at } = listen(5000);
    informer.start();
    send(...list('3', [a1]));
    runTo(13_000);
    expect(at).toEqual([6000, 12_000]);
  });

  it('goes on while the connection is down, and waits for the first list', () => {
    const { informer, send, runTo, listen, scheduler } = timed({ resyncPeriodMs: 1000 });
    const { at } = listen();
    informer.start();
    runTo(2500);
    expect(at).toEqual([]);
    scheduler.schedule(() => send(...list('3', [a1]), { type: 'status', state: 'retrying', attempt: 1 }), 100);
    runTo(4500);
    expect(at).toEqual([3000, 4000]);
  });

  it('is told to those only who asked: not to a subscriber with the period 0 (SI-23, SI-28)', () => {
    const { informer, send, runTo } = timed({ resyncPeriodMs: 1000 });
    const seen: string[] = [];
    informer.events({ resyncPeriodMs: 0 }).subscribe((event) => seen.push(brief(event)));
    informer
      .process((event) => [event], { resyncPeriodMs: 2000 })
      .subscribe((event) => event.type === 'updated' && seen.push(brief(event)));
    send(...list('3', [a1]));
    runTo(3000);
    expect(seen).toEqual(['+default/a@1 initial', 'synced@3', '~default/a@1<1 resync']);
  });

  it('ends with the handler, and with the session (RP-09)', () => {
    const { informer, send, runTo, listen, scheduler } = timed({ resyncPeriodMs: 1000 });
    const removed = listen();
    const kept = listen();
    const subscription = informer.resource$.subscribe();
    send(...list('3', [a1]));
    runTo(1000);
    removed.registration.remove();
    runTo(2000);
    subscription.unsubscribe();
    runTo(10_000);
    expect([removed.at, kept.at]).toEqual([[1000], [1000, 2000]]);
    expect(scheduler.actions).toEqual([]);
  });

  it('is one change: what happens in the middle of it comes behind it', () => {
    const { informer, send, runTo } = timed({ resyncPeriodMs: 1000 });
    const seen: string[] = [];
    informer.resource$.subscribe((event) => {
      seen.push(brief(event));
      if (event.type === 'updated' && event.resync && event.key === 'default/a') send(modified(pod('b', '9')));
    });
    send(...list('3', [a1, pod('b', '2')]));
    seen.length = 0;
    runTo(1000);
    expect(seen).toEqual(['~default/a@1<1 resync', '~default/b@2<2 resync', '~default/b@9<2']);
  });

  it('comes once in every period, however late the timers are', () => {
    const virtual = new VirtualTimeScheduler();
    let late = 0;
    const lateness = (): number => (late = (late + 7) % 20);
    const lateAction = (action: SchedulerAction<unknown>): SchedulerAction<unknown> =>
      Object.assign(Object.create(action) as SchedulerAction<unknown>, {
        schedule: (state?: unknown, delay = 0): Subscription => action.schedule(state, delay + lateness()),
      });
    const schedule = (work: (this: SchedulerAction<unknown>, state?: unknown) => void, delay = 0, state?: unknown): Subscription =>
      virtual.schedule(
        function (value) {
          work.call(lateAction(this), value);
        },
        delay + lateness(),
        state,
      );
    const scheduler: SchedulerLike = { now: () => virtual.now(), schedule: schedule };
    const { informer, send } = scripted({ scheduler, resyncPeriodMs: 1000 });
    let resyncs = 0;
    informer.addEventHandler({ onUpdate: () => (resyncs += 1) });
    informer.start();
    send(...list('3', [pod('a', '1')]));
    virtual.maxFrames = 60_500;
    virtual.flush();
    expect(resyncs).toBe(60);
  });

  it('keeps to the grid of each participant, however late each timer is, and whenever it has joined', () => {
    const latenessMs = fc.array(fc.integer({ min: 0, max: 999 }), { minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(latenessMs, fc.integer({ min: 0, max: 5000 }), (late, joinedAt) => {
        const virtual = new VirtualTimeScheduler();
        const rest = [...late];
        const scheduler: SchedulerLike = {
          now: () => virtual.now(),
          schedule: <T>(work: (this: SchedulerAction<T>, state?: T) => void, delay = 0, state?: T) =>
            virtual.schedule(work, delay + (delay > 0 ? (rest.shift() ?? 0) : 0), state),
        };
        const { informer, send } = scripted({ scheduler, resyncPeriodMs: 1000 });
        const seen: number[][] = [[], []];
        const listen = (at: number[] | undefined): unknown =>
          informer.addEventHandler({ onUpdate: (oldObject, object) => oldObject === object && at?.push(virtual.now()) });
        listen(seen[0]);
        informer.start();
        send(...list('3', [a1]));
        virtual.schedule(() => listen(seen[1]), joinedAt);
        virtual.maxFrames = 14_999;
        virtual.flush();
        for (const [at, begin] of [[seen[0] ?? [], 0] as const, [seen[1] ?? [], joinedAt] as const]) {
          // One in each of its own periods, and no others.
          expect(at.map((ms) => Math.floor((ms - begin) / 1000))).toEqual(at.map((_, index) => index + 1));
          expect(at.length).toBeGreaterThanOrEqual(Math.floor((14_999 - begin) / 1000) - 1);
        }
        void informer.stop();
      }),
    );
  });

  it('resyncs once for all the periods in which nothing could run', () => {
    const virtual = new VirtualTimeScheduler();
    let lateMs = 3500;
    const scheduler: SchedulerLike = {
      now: () => virtual.now(),
      schedule: <T>(work: (this: SchedulerAction<T>, state?: T) => void, delay = 0, state?: T) => {
        const more = delay > 0 ? lateMs : 0;
        if (more > 0) lateMs = 0;
        return virtual.schedule(work, delay + more, state);
      },
    };
    const { informer, send } = scripted({ scheduler, resyncPeriodMs: 1000 });
    const at: number[] = [];
    informer.addEventHandler({ onUpdate: () => at.push(virtual.now()) });
    informer.start();
    send(...list('3', [a1]));
    virtual.maxFrames = 6999;
    virtual.flush();
    expect(at).toEqual([4500, 5000, 6000]);
  });
});
