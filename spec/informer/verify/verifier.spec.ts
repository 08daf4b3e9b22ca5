import { describe, expect, it, jest } from '@jest/globals';
import { Subject, Subscription, VirtualTimeScheduler } from 'rxjs';
import { InformerError } from '../../../src/api/errors/informerError.js';
import type { SourceEvent } from '../../../src/api/events.js';
import { RequestError } from '../../../src/client/requests/requestError.js';
import { type VerificationOptions, verifierPlug } from '../../../src/informer/verify/verifier.js';
import type { PartSetup, PluggedInformer } from '../../../src/informer/parts/part.js';
import type { Verification } from '../../../src/informer/verify/verifyInformer.js';
import { advanceBy } from '../../../src/testing/marbles/advanceBy.js';

const consistent: Verification = { isConsistent: true, count: 0, resourceVersions: new Map(), missing: [], extra: [], differing: [] };
const drift: Verification = { ...consistent, isConsistent: false, missing: [{ key: 'default/a', resourceVersion: '7' }] };
const watching: SourceEvent<object> = { type: 'status', scope: 'default', state: 'watching' };

function retrying(code: string): SourceEvent<object> {
  const cause = new RequestError({ code, message: code, request: 'GET /api/v1/pods' });
  const error = new InformerError({ code: 'ERR_WATCH_START', message: code, cause: new Error('wrapped', { cause }) });
  return { type: 'status', scope: 'default', state: 'retrying', error, attempt: 1, nextAttemptAt: 0 };
}

/** A verifier over a manual source; `jitter` replaces the random number. */
function verifying(options: VerificationOptions, { isWarm = false, jitter = 0.5 } = {}) {
  const scheduler = new VirtualTimeScheduler();
  const source = new Subject<SourceEvent<object>>();
  const askedAt: number[] = [];
  const errors: string[] = [];
  let relists = 0;
  let found: Verification | Promise<Verification> | Error = consistent;
  const unverified: (number | undefined)[] = [];
  let objects = 0;
  let isSynced = true;
  const verify = (): Promise<Verification> => {
    askedAt.push(scheduler.now());
    return found instanceof Error ? Promise.reject(found) : Promise.resolve(found);
  };
  const setup = { resource: 'pods', scheduler, random: () => jitter, has: () => isWarm };
  const { attach, relist$, followed } = verifierPlug(setup as unknown as PartSetup, options, verify);
  const { unverifiedSince } =
    attach?.({
      informer: { hasSynced: () => isSynced },
      store: { listKeys: () => Array.from({ length: objects }, String) },
      healthChanged: () => unverified.push(unverifiedSince?.()),
    } as unknown as PluggedInformer) ?? {};
  relist$?.subscribe(() => (relists += 1));
  const subscription = followed?.(source).subscribe((event) => {
    if (event.type === 'status' && event.error?.code === 'ERR_DRIFT') {
      const attempt = event.attempt === undefined ? '' : ` at attempt ${event.attempt}, again at ${event.nextAttemptAt}`;
      errors.push(`${event.state}${attempt}: ${event.error.message}`);
    }
  });
  return {
    source,
    askedAt,
    errors,
    subscription,
    unverified,
    syncs: (is: boolean) => (isSynced = is),
    has: (count: number) => (objects = count),
    relists: () => relists,
    finds: (what: typeof found): void => void (found = what),
    /** Advances the time, and lets pending requests be answered. */
    pass: async (ms: number): Promise<void> => {
      advanceBy(scheduler, ms);
      await Promise.resolve();
      await Promise.resolve();
    },
  };
}

describe('verifierPlug', () => {
  it('asks on its schedule, with jitter, and not before', async () => {
    const { askedAt, pass } = verifying({ everyMs: 60_000 });
    await pass(62_999);
    expect(askedAt).toEqual([]);
    for (let times = 0; times < 4; times += 1) await pass(50_000);
    expect(askedAt).toEqual([63_000, 126_000, 189_000, 252_000]);
  });

  it('begins no comparison of its schedule while one is under way, and goes on when that has ended', async () => {
    const { askedAt, finds, pass } = verifying({ everyMs: 60_000 });
    let end = (): void => undefined;
    finds(new Promise((resolve) => (end = () => resolve(consistent))));
    for (let times = 0; times < 10; times += 1) await pass(63_000);
    expect(askedAt).toEqual([63_000]);
    end();
    await pass(0);
    for (let times = 0; times < 2; times += 1) await pass(63_000);
    expect(askedAt).toEqual([63_000, 693_000, 756_000]);
  });

  it('keeps nothing of what it has asked', async () => {
    const added = jest.spyOn(Subscription.prototype, 'add');
    const removed = jest.spyOn(Subscription.prototype, 'remove');
    const { subscription, pass } = verifying({ everyMs: 60_000 }, { jitter: 0 });
    const held = (): number => {
      const times = ({ mock }: typeof added | typeof removed) => mock.contexts.filter((context) => context === subscription).length;
      return times(added) - times(removed);
    };
    const atFirst = held();
    for (let times = 0; times < 100; times += 1) await pass(60_000);
    expect(held()).toBe(atFirst);
    jest.restoreAllMocks();
  });

  it('asks once after an outage in which connections were refused, spread over a minute, and after no other failure', async () => {
    const { askedAt, source, pass } = verifying({});
    for (const event of [watching, retrying('ECONNRESET'), watching]) source.next(event);
    await pass(100_000);
    expect(askedAt).toEqual([]);
    for (const event of [retrying('ECONNREFUSED'), retrying('ECONNREFUSED')]) source.next(event);
    await pass(100_000);
    expect(askedAt).toEqual([]);
    source.next(watching);
    source.next(watching);
    await pass(100_000);
    expect(askedAt).toEqual([230_000]);
  });

  it('asks once when a cache of an earlier run is live', async () => {
    const { askedAt, source, pass } = verifying({}, { isWarm: true });
    await pass(1_000);
    source.next(watching);
    source.next(watching);
    await pass(100_000);
    expect(askedAt).toEqual([6_000]);
  });

  it('asks only when all of that cache is live', async () => {
    const { askedAt, source, syncs, pass } = verifying({}, { isWarm: true });
    syncs(false);
    source.next(watching);
    await pass(24_000);
    syncs(true);
    await pass(100_000);
    expect(askedAt).toEqual([25_000]);
  });

  it('does not ask when the server has listed everything in place of that cache', async () => {
    const { askedAt, source, pass } = verifying({}, { isWarm: true });
    source.next({ type: 'status', scope: 'web', state: 'listing' });
    source.next({ ...watching, scope: 'web' });
    await pass(100_000);
    expect(askedAt).toEqual([]);
    source.next({ ...watching, scope: 'db' });
    await pass(100_000);
    expect(askedAt).toEqual([105_000]);
  });

  it('tells a difference, and has everything listed', async () => {
    const { errors, finds, pass, relists, source } = verifying({ everyMs: 60_000 });
    source.next(watching);
    finds(drift);
    await pass(63_000);
    expect(errors).toEqual([
      'watching: The cache of pods differs from the server at the same version: 1 missing, 0 too many, 0 others, for example default/a',
    ]);
    expect(relists()).toBe(1);
  });

  it('leaves a retry of the watch as it is', async () => {
    const { errors, finds, pass, source } = verifying({ everyMs: 60_000 });
    source.next({ type: 'status', state: 'retrying', attempt: 3, nextAttemptAt: 90_000 });
    finds(drift);
    await pass(63_000);
    expect(errors).toEqual([expect.stringMatching(/^retrying at attempt 3, again at 90000: The cache of pods differs/)]);
  });

  it('only tells it where that is asked for', async () => {
    const { errors, finds, pass, relists, source } = verifying({ everyMs: 60_000, onDrift: 'report' });
    source.next(watching);
    finds(drift);
    await pass(63_000);
    expect([errors.length, relists()]).toEqual([1, 0]);
  });

  it('has everything listed after an outage when it cannot be verified, and waits for the next time on a schedule', async () => {
    const { finds, pass, relists, source } = verifying({ everyMs: 60_000 });
    finds(new Error('410'));
    await pass(63_000);
    expect(relists()).toBe(0);
    for (const event of [retrying('ECONNREFUSED'), watching]) source.next(event);
    await pass(31_000);
    expect(relists()).toBe(1);
  });

  it('says since when a cache is not verified, until it is', async () => {
    const { source, pass, unverified } = verifying({});
    source.next(retrying('ECONNREFUSED'));
    await pass(5_000);
    source.next(watching);
    await pass(29_999);
    expect(unverified).toEqual([5_000]);
    await pass(1);
    expect(unverified).toEqual([5_000, undefined]);
  });

  it('verifies no more than 5,000 objects after an outage, or as many as it is told', async () => {
    const { askedAt, source, pass, unverified, has } = verifying({});
    has(5_001);
    for (const event of [retrying('ECONNREFUSED'), watching]) source.next(event);
    await pass(60_000);
    expect([askedAt, unverified]).toEqual([[], [0]]);
    source.next({ type: 'ready', scope: 'default', resourceVersion: '9' });
    expect(unverified).toEqual([0, undefined]);
    const more = verifying({ maxObjects: 5_001 });
    more.has(5_001);
    for (const event of [retrying('ECONNREFUSED'), watching]) more.source.next(event);
    await more.pass(60_000);
    expect(more.askedAt).toEqual([30_000]);
  });

  it('does not verify what was listed after the outage, of which each scope counts by itself', async () => {
    const { askedAt, source, pass, unverified } = verifying({});
    const ready = (scope: string): SourceEvent<object> => ({ type: 'ready', scope, resourceVersion: '9' });
    for (const event of [retrying('ECONNREFUSED'), ready('default'), watching]) source.next(event);
    await pass(60_000);
    expect([askedAt, unverified]).toEqual([[], []]);
    for (const event of [retrying('ECONNREFUSED'), watching, ready('other')]) source.next(event);
    await pass(10_000);
    expect(unverified).toEqual([60_000]);
    source.next(ready('default'));
    await pass(60_000);
    expect([askedAt, unverified]).toEqual([[], [60_000, undefined]]);
  });

  it('is over with its subscription', async () => {
    const { askedAt, errors, finds, pass, relists, subscription } = verifying({ everyMs: 60_000 });
    finds(drift);
    const last = pass(63_000);
    subscription?.unsubscribe();
    await last;
    await pass(1_000_000);
    expect([askedAt.length, errors.length, relists()]).toEqual([1, 0, 0]);
  });
});
