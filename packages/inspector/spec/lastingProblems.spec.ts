import { beforeEach, describe, expect, it } from '@jest/globals';
import { merge, NEVER, of, Subject, VirtualTimeScheduler } from 'rxjs';
import { ApiError, createInformer, InformerError } from 'rx-informer';
import type { SourceEvent } from 'rx-informer/pipeline';
import { diagnose } from '../src/warnings/diagnose.js';
import { reconcile } from '@rx-informer/controller';
import { derive } from '@rx-informer/views';
import { createWorkQueue } from 'rx-informer/workqueue';
import { added, init, list, modified, pod, type Pod } from '../../../spec/delta/pods.js';

const quiet = { warn: () => undefined };

function setUp() {
  const scheduler = new VirtualTimeScheduler();
  const pass = (ms: number): void => {
    scheduler.maxFrames = scheduler.frame + ms;
    scheduler.schedule(() => undefined, ms);
    scheduler.flush();
  };
  const source = new Subject<SourceEvent<Pod>>();
  const informer = createInformer<Pod>(source, { name: 'pods', resource: 'pods', scheduler, logger: quiet });
  const send = (...events: readonly SourceEvent<Pod>[]): void => {
    for (const event of events) source.next(event);
  };
  return { scheduler, pass, informer, send };
}

const manyPods = (count: number): Pod[] => Array.from({ length: count }, (_, at) => pod(`p${at}`, String(at + 1)));

/** The warnings as `code subject: message`. */
const found = (): string[] => diagnose().map(({ code, subject, message }) => `${code} ${subject.kind} ${subject.name}: ${message}`);

const refused = (attempt: number): SourceEvent<Pod> => {
  const cause = new ApiError({ code: 403, message: 'no' });
  const error = new InformerError({ code: 'ERR_LIST', message: 'Cannot list pods: pods is forbidden', cause });
  return { type: 'status', scope: '', state: 'retrying', error, attempt, nextAttemptAt: 0 };
};

describe('diagnose, of what goes on failing', () => {
  beforeEach(() => {
    Reflect.deleteProperty(globalThis, Symbol.for('rx-informer.registry'));
  });

  it('names a handler that throws each time, and not one that failed now and then', async () => {
    const { informer, send } = setUp();
    informer.addEventHandler({ onAdd: () => Promise.reject(new Error('boom')) }, { name: 'broken' });
    let calls = 0;
    const now = (): void => {
      calls += 1;
      if (calls % 20 === 0) throw new Error('now and then');
    };
    informer.addEventHandler({ onAdd: now }, { name: 'shaky' });
    informer.start();
    send(...list('999', manyPods(200)));
    await new Promise(setImmediate);
    expect(found()).toEqual([
      expect.stringMatching(
        /^failing-handler informer pods: The handler broken of the informer pods has failed for \d+ of \d+ events, .*boom/,
      ),
    ]);
    await informer.stop();
  });

  it('names work of `process` that fails', async () => {
    const { informer, send } = setUp();
    informer
      .process(() => {
        throw new Error('boom');
      })
      .subscribe();
    send(...list('9', manyPods(5)));
    expect(found()).toEqual([
      expect.stringContaining('failing-handler informer pods: A subscriber of process() of the informer pods has failed'),
    ]);
    await informer.stop();
  });

  it('names a controller whose keys fail, and is silent when they succeed again', () => {
    const { scheduler, pass } = setUp();
    let works = false;
    const running = reconcile({
      name: 'sites',
      sources: [merge(of('a/one', 'a/two'), NEVER)],
      reconcile: () => {
        if (!works) throw new Error('boom');
        return [];
      },
      scheduler,
    }).subscribe();
    pass(1_000);
    expect(found()).toEqual([]);
    pass(6_000);
    expect(found()).toEqual([
      expect.stringContaining(
        'failing-controller controller sites: The controller sites fails for 2 keys (a/one, a/two), 5 times in a row or more, for a/one with: boom. No call has succeeded since the last look.',
      ),
    ]);
    works = true;
    pass(1_000_000);
    expect(found()).toEqual([]);
    running.unsubscribe();
  });

  it('names a view that has no value for some keys', async () => {
    const { informer, send, pass, scheduler } = setUp();
    const view = derive(
      informer,
      ({ metadata }) => {
        if (metadata.name === 'p1') throw new Error('boom');
        return metadata.name;
      },
      { name: 'names', logger: quiet, scheduler },
    );
    view.change$.subscribe();
    send(...list('9', manyPods(3)));
    expect(found()).toEqual([]);
    pass(6_000);
    expect(found()).toEqual([
      expect.stringContaining('degraded view names: The view names has no current value for 1 keys (default/p1), beside 2 objects'),
    ]);
    await view.stop();
    await informer.stop();
  });

  it('names a queue that grows from look to look', () => {
    const { scheduler, pass } = setUp();
    const queue = createWorkQueue<string>({ name: 'mail', clock: scheduler });
    const fill = (to: number): void => {
      for (let at = queue.len(); at < to; at += 1) queue.add(`item ${at}`);
      expect(found()).toEqual([]);
      pass(6_000);
    };
    fill(50);
    fill(90);
    fill(120);
    queue.add('one more');
    expect(found()).toEqual([expect.stringContaining('queue queue mail: The queue mail grows: 50, 90, 120, 121 items were waiting')]);
    queue.shutDown();
  });

  it('names subscribers that come and never go', async () => {
    const { informer, send, pass } = setUp();
    send(...list('9', manyPods(1)));
    const gain = (count: number): void => {
      for (let at = 0; at < count; at += 1) informer.resource$.subscribe();
    };
    gain(150);
    expect(found()).toEqual([]);
    for (const more of [30, 30]) {
      pass(6_000);
      gain(more);
      expect(found()).toEqual([]);
    }
    pass(6_000);
    gain(1);
    expect(found()).toEqual([
      expect.stringContaining('subscribers informer pods: The informer pods gains more subscribers than it loses: 150, 180, 210, 211'),
    ]);
    pass(6_000);
    expect(found()).toEqual([]);
    await informer.stop();
  });

  it('names a controller that waits for a cache for ever, once the wait is long', async () => {
    const { informer, scheduler, pass } = setUp();
    const running = reconcile({ name: 'sites', sources: [NEVER], caches: [informer], reconcile: () => [], scheduler }).subscribe();
    pass(59_000);
    expect(found()).toEqual([]);
    pass(2_000);
    expect(found()).toEqual([
      expect.stringContaining('waiting controller sites: The controller sites has waited for its caches for 61 s: pods has not synced'),
    ]);
    running.unsubscribe();
    await informer.stop();
  });

  it('gives one warning for one refusal, whoever waits for that cache', async () => {
    const { informer, scheduler, pass, send } = setUp();
    informer.resource$.subscribe();
    const running = reconcile({ name: 'sites', sources: [NEVER], caches: [informer], reconcile: () => [], scheduler }).subscribe();
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      send(init(), refused(attempt));
      pass(30_000);
    }
    expect(found()).toEqual([expect.stringMatching(/^forbidden informer pods/)]);
    running.unsubscribe();
    await informer.stop();
  });

  it('gives one warning when a right is taken away', async () => {
    const { informer, pass, send } = setUp();
    informer.resource$.subscribe();
    send(...list('9', manyPods(2)), added(pod('q', '10')), modified(pod('q', '11')));
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      send(refused(attempt), init(), refused(attempt));
      pass(30_000);
    }
    expect(found()).toEqual([expect.stringMatching(/^forbidden informer pods: .*Its cache is out of date/)]);
    await informer.stop();
  });

  it('does not take lists that fail for lists', async () => {
    const { informer, pass, send } = setUp();
    informer.resource$.subscribe();
    send(...list('9', manyPods(2)));
    const error = new InformerError({ code: 'ERR_LIST', message: 'Cannot list pods: 503' });
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      send(init(), { type: 'status', scope: '', state: 'retrying', error, attempt, nextAttemptAt: 0 });
      pass(10_000);
    }
    expect(found()).toEqual([expect.stringMatching(/^stale informer pods/)]);
    await informer.stop();
  });
});
