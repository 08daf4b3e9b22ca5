import { describe, expect, it, jest } from '@jest/globals';
import { type SchedulerLike, Subscription, VirtualAction, VirtualTimeScheduler } from 'rxjs';
import type { ObjectEvent, ResourceEvent } from '../../../src/api/events.js';
import { BoundedBuffer } from '../../../src/delta/buffers/eventBuffer.js';
import { Worker } from '../../../src/delta/buffers/worker.js';
import { pod, type Pod } from '../pods.js';

const event = (version: number): ObjectEvent<Pod> => ({
  type: 'added',
  key: 'default/a',
  object: pod('a', String(version)),
  initial: false,
  inferred: false,
});
const versionOf = (told: ResourceEvent<Pod>): string => (told.type === 'synced' ? 'synced' : (told.object.metadata.resourceVersion ?? ''));

/** A scheduler in whose time every event takes a while, although nothing waits. */
function busyScheduler(costMs: number) {
  const virtual = new VirtualTimeScheduler();
  let spent = 0;
  const scheduler: SchedulerLike = { now: () => virtual.now() + spent, schedule: virtual.schedule.bind(virtual) };
  return { scheduler, spend: () => (spent += costMs), turn: () => virtual.flush(), timers: () => virtual.actions.length };
}

describe('Worker', () => {
  it('hands over one event at a time, at once where it can', () => {
    const seen: string[] = [];
    let finish: () => void = () => undefined;
    const worker = new Worker<Pod>({
      buffer: new BoundedBuffer(Infinity),
      run: (told, done) => {
        seen.push(versionOf(told));
        if (versionOf(told) === '2') finish = done;
        else done();
      },
      onOverflow: () => seen.push('overflow'),
    });
    [1, 2, 3, 4].forEach((version) => worker.next(event(version)));
    expect(seen).toEqual(['1', '2']);
    finish();
    expect(seen).toEqual(['1', '2', '3', '4']);
  });

  it('is behind from the first event that it works on until nothing waits', () => {
    const scheduler = new VirtualTimeScheduler();
    let finish: () => void = () => undefined;
    const worker = new Worker<Pod>({
      buffer: new BoundedBuffer(Infinity),
      run: (_, done) => (finish = done),
      onOverflow: () => undefined,
      scheduler,
    });
    const pass = (ms: number): void => {
      scheduler.schedule(() => undefined, ms);
      scheduler.flush();
    };
    const behind = (): number => worker.figures().behindMs;
    worker.next(event(1));
    pass(10);
    expect(behind()).toBe(0);
    worker.next(event(2));
    pass(10);
    expect(behind()).toBe(20);
    finish();
    worker.next(event(3));
    pass(10);
    // It has not been without work since the first one.
    expect(behind()).toBe(30);
    finish();
    finish();
    worker.next(event(4));
    worker.next(event(5));
    pass(10);
    expect(behind()).toBe(10);
  });

  it('does not grow the stack, however many events wait', () => {
    let count = 0;
    let first: (() => void) | undefined;
    const worker = new Worker<Pod>({
      buffer: new BoundedBuffer(Infinity),
      run: (_, done) => {
        count += 1;
        if (first === undefined) first = done;
        else done();
      },
      onOverflow: () => undefined,
    });
    for (let version = 0; version < 50_000; version += 1) worker.next(event(version));
    first?.();
    expect(count).toBe(50_000);
  });

  it('takes an event that is caused by the one that runs after it', () => {
    const seen: string[] = [];
    const worker = new Worker<Pod>({
      buffer: new BoundedBuffer(Infinity),
      run: (told, done) => {
        if (versionOf(told) === '1') worker.next(event(2));
        seen.push(versionOf(told));
        done();
      },
      onOverflow: () => undefined,
    });
    worker.next(event(1));
    expect(seen).toEqual(['1', '2']);
  });

  it('stops, and says so, when the buffer has no room', () => {
    const seen: string[] = [];
    const worker = new Worker<Pod>({
      buffer: new BoundedBuffer(1),
      run: (told, _done) => seen.push(versionOf(told)),
      onOverflow: () => seen.push('overflow'),
    });
    [1, 2, 3, 4].forEach((version) => worker.next(event(version)));
    expect(seen).toEqual(['1', 'overflow']);
  });

  it('hands over nothing more when it is stopped', () => {
    const seen: string[] = [];
    let finish: () => void = () => undefined;
    const worker = new Worker<Pod>({
      buffer: new BoundedBuffer(Infinity),
      run: (told, done) => {
        seen.push(versionOf(told));
        finish = done;
      },
      onOverflow: () => undefined,
    });
    worker.next(event(1));
    worker.next(event(2));
    worker.stop();
    finish();
    worker.next(event(3));
    expect(seen).toEqual(['1']);
  });

  it('leaves no timer behind when it is stopped', () => {
    const { scheduler, timers } = busyScheduler(1);
    const worker = new Worker<Pod>({
      buffer: new BoundedBuffer(Infinity),
      run: (_, done) => done(),
      onOverflow: () => undefined,
      sliceMs: 10,
      scheduler,
    });
    worker.next(event(1));
    expect(timers()).toBe(1);
    worker.stop();
    expect(timers()).toBe(0);
  });

  it('lets the event loop have its turn after each slice', () => {
    const { scheduler, spend, turn } = busyScheduler(4);
    const seen: string[] = [];
    const worker = new Worker<Pod>({
      buffer: new BoundedBuffer(Infinity),
      run: (told, done) => {
        seen.push(versionOf(told));
        spend();
        done();
      },
      onOverflow: () => undefined,
      sliceMs: 10,
      scheduler,
    });
    // A burst of single events makes a stretch as well as a backlog does.
    for (let version = 1; version <= 7; version += 1) worker.next(event(version));
    expect(seen).toEqual(['1', '2', '3']);
    turn();
    expect(seen).toEqual(['1', '2', '3', '4', '5', '6', '7']);
  });

  it('begins a change of many events with the next turn of the event loop, which has made that change in this one', () => {
    const { scheduler, turn } = busyScheduler(0);
    const seen: string[] = [];
    const makeWorker = (sliceMs: number | undefined) =>
      new Worker<Pod>({
        buffer: new BoundedBuffer(Infinity),
        run: (told, done) => {
          seen.push(versionOf(told));
          done();
        },
        onOverflow: () => undefined,
        sliceMs,
        scheduler,
      });
    const changeOf = (count: number) => ({
      cause: 'list' as const,
      events: Array.from({ length: count }, (_, at) => event(at)),
      synced: true,
    });
    const worker = makeWorker(10);
    worker.take(changeOf(1000));
    expect(seen.splice(0)).toHaveLength(1001);
    worker.take(changeOf(1001));
    worker.next(event(1002));
    expect(seen).toEqual([]);
    turn();
    expect(seen.splice(0)).toHaveLength(1003);
    makeWorker(undefined).take(changeOf(1001));
    expect(seen).toHaveLength(1002);
  });

  it('hands a single event over at once, also long after the last one', () => {
    const { scheduler, spend, turn } = busyScheduler(100);
    const seen: string[] = [];
    const worker = new Worker<Pod>({
      buffer: new BoundedBuffer(Infinity),
      run: (told, done) => {
        seen.push(versionOf(told));
        spend();
        done();
      },
      onOverflow: () => undefined,
      sliceMs: 10,
      scheduler,
    });
    worker.next(event(1));
    turn();
    worker.next(event(2));
    expect(seen).toEqual(['1', '2']);
  });

  it('keeps nothing of the turns that are over', () => {
    const scheduler = new VirtualTimeScheduler();
    const add = jest.spyOn(Subscription.prototype, 'add');
    const worker = new Worker<Pod>({
      buffer: new BoundedBuffer(Infinity),
      run: (_, done) => done(),
      onOverflow: () => undefined,
      sliceMs: 1,
      scheduler,
    });
    for (let turn = 0; turn < 50; turn += 1) {
      worker.next({ type: 'synced', resourceVersion: '1', previousResourceVersion: '' });
      scheduler.flush();
    }
    expect(add.mock.contexts.filter((subscription) => !(subscription instanceof VirtualAction))).toHaveLength(0);
    add.mockRestore();
  });
});
