import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Observable, type SchedulerAction, type SchedulerLike, Subscription } from 'rxjs';
import { resources, type V1Lease } from 'rx-informer';
import { createKubeClient } from '../../../../src/client/createKubeClient.js';
import type { Transport, TransportEvent, TransportRequest } from '../../../../src/client/requests/transport.js';
import { electLeader } from '../../src/leader/electLeader.js';
import type { Leadership } from '../../src/leader/leadership.js';
import { fail } from '../reconcile/outcomeLog.js';
import { runs } from '../../../../spec/tier.js';

const histories = runs(150);
const { configmaps } = resources.core.v1;
const timing = { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2_000 } as const;

/** Promises are not driven by virtual time: lets those under way settle. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) await Promise.resolve();
}

/** The timers of one process. The process may be frozen: then everything that has become due histories afterwards, in any order. */
class Timers implements SchedulerLike {
  private time = 0;
  private waiting: { readonly due: number; readonly run: () => void }[] = [];

  now(): number {
    return this.time;
  }

  schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay = 0, state?: T): Subscription {
    const subscription = new Subscription();
    const run = (): void => {
      subscription.unsubscribe();
      work.call(undefined as unknown as SchedulerAction<T>, state);
    };
    const timer = { due: this.time + delay, run };
    this.waiting.push(timer);
    subscription.add(() => (this.waiting = this.waiting.filter((one) => one !== timer)));
    return subscription;
  }

  /** Lets time pass. What is due at the same moment histories in the order that `pick` chooses, with or without the promises in between. */
  async pass(ms: number, pick: () => number): Promise<void> {
    const end = this.time + ms;
    for (;;) {
      const next = Math.min(end, ...this.waiting.map(({ due }) => due));
      this.time = Math.max(this.time, next);
      await this.runDue(pick);
      if (this.time >= end) return;
    }
  }

  /** Lets the process stand still for so long. */
  async freeze(ms: number, pick: () => number): Promise<void> {
    this.time += ms;
    await this.runDue(pick);
  }

  private async runDue(pick: () => number): Promise<void> {
    const due = (): typeof this.waiting => this.waiting.filter((one) => one.due <= this.time);
    for (let now = due(); now.length > 0; now = due()) {
      now[pick() % now.length]?.run();
      if (pick() % 2 === 0) await settle();
    }
    await settle();
  }
}

/** A server with one lease, which demands a repetition of every second write, and a log of the requests. */
class World {
  readonly timers: Timers = new Timers();
  /** Until when this process may send, as the rules have it: a deadline after the last renewal of which it knows was sent. */
  until = -Infinity;
  readonly late: string[] = [];
  sent = 0;
  private lease: V1Lease | undefined;
  private version = 0;

  readonly transport: Transport = {
    server: 'http://server',
    credentials: { get: () => Promise.resolve({ headers: {}, tls: {} }) },
    close: () => undefined,
    send: (request) =>
      new Observable<TransportEvent>((subscriber) => {
        const { timers } = this;
        request.beforeSend?.();
        const sentAt = timers.now();
        if (request.method === 'PATCH' && sentAt >= this.until) this.late.push(`${request.path} at ${sentAt}, until ${this.until}`);
        const [status, body, headers = {}] = this.answer(request);
        return timers.schedule(() => {
          if (request.method === 'PUT' || request.method === 'POST') if (status < 300) this.until = sentAt + timing.renewDeadlineMs;
          subscriber.next({ type: 'head', status, headers });
          subscriber.next({ type: 'data', chunk: new TextEncoder().encode(JSON.stringify(body)) });
          subscriber.complete();
        }, 20);
      }),
  };

  private answer({ method, body = '{}' }: TransportRequest): [number, object, Readonly<Record<string, string>>?] {
    if (method === 'PATCH') {
      this.sent += 1;
      if (this.sent % 2 === 0) return [200, { metadata: { name: 'c', namespace: 'ns' } }];
      return [429, { kind: 'Status', code: 429, reason: 'TooManyRequests' }, { 'retry-after': '3' }];
    }
    if (method === 'GET') return this.lease === undefined ? [404, { kind: 'Status', code: 404, reason: 'NotFound' }] : [200, this.lease];
    const lease = JSON.parse(body) as V1Lease;
    this.version += 1;
    this.lease = { ...lease, metadata: { ...lease.metadata, resourceVersion: String(this.version) } };
    return [200, this.lease];
  }
}

const deed = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('write' as const), ms: fc.constant(0) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 5_000 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('freeze' as const), ms: fc.constantFrom(1_000, 8_000, 9_999, 10_000, 12_000, 30_000) }),
  },
);

describe('sending under a leadership', () => {
  it('begins no sending after its time, whatever waits for an answer, a pause or its turn, and in which order late timers run', async () => {
    let writes = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(deed, { minLength: 3, maxLength: 25 }),
        fc.array(fc.nat(1_000), { minLength: 20, maxLength: 60 }),
        fc.constantFrom(undefined, 0.5, 2),
        async (deeds, picks, qps) => {
          const world = new World();
          const { timers, transport } = world;
          let at = 0;
          const pick = (): number => picks[at++ % picks.length] ?? 0;
          const connect = (): Promise<{ transport: Transport; defaultNamespace: string }> =>
            Promise.resolve({ transport, defaultNamespace: 'ns' });
          const client = createKubeClient({ connect, scheduler: timers, burst: 2, ...(qps !== undefined && { qps }) });
          const election = electLeader(client, {
            ...{ ...timing, identity: 'a', lease: { namespace: 'ns', name: 'lease' }, scheduler: timers, random: () => 0 },
          });
          let term: Leadership | undefined;
          election.leadership$.subscribe({ next: (next) => (term = next ?? term), error: fail });
          election.start();
          await timers.pass(1_000, pick);
          for (const { do: what, ms } of deeds) {
            if (what === 'write')
              void term?.client.patch(configmaps, 'c', 'merge', {}, { namespace: 'ns', timeoutMs: 0 }).catch(() => undefined);
            else await timers[what](ms, pick);
          }
          await timers.pass(30_000, pick);
          writes += world.sent;
          expect(world.late).toEqual([]);
        },
      ),
      { numRuns: histories },
    );
    // The property is about something.
    expect(writes).toBeGreaterThan(histories);
  }, 600_000);
});
