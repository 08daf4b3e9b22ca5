import { describe, expect, it, jest } from '@jest/globals';
import { from, merge, NEVER, Observable, switchMap } from 'rxjs';
import { registry } from 'rx-informer/internal';
import { reconcile } from '../../src/reconcile/reconcile.js';
import { electLeader, type LeaderElection } from '../../src/leader/electLeader.js';
import type { Leader, Leadership } from '../../src/leader/leadership.js';
import type { LeaderElectionOptions } from '../../src/leader/leaderElectionOptions.js';
import { fail } from '../reconcile/outcomeLog.js';
import { LeaseServer } from './leaseServer.js';

const lease = { namespace: 'ns', name: 'lease' };

interface Candidate {
  readonly election: LeaderElection;
  readonly seen: string[];
  readonly terms: string[];
  readonly errors: string[];
}

function candidate(server: LeaseServer, identity = 'a', options: Partial<LeaderElectionOptions> = {}): Candidate {
  const { scheduler } = server;
  const election = electLeader(server.client(identity), { lease, identity, scheduler, random: () => 0, ...options });
  const seen: string[] = [];
  const terms: string[] = [];
  const errors: string[] = [];
  const show = ({ holder, isSelf, transitions }: Leader): number =>
    seen.push(`${scheduler.now()} ${holder || 'nobody'}${isSelf ? ' (self)' : ''} ${transitions}`);
  election.leader$.subscribe({ next: show, error: fail });
  election.leadership$.subscribe({ next: (term) => terms.push(`${scheduler.now()} ${term?.token ?? '-'}`), error: fail });
  election.error$.subscribe({ next: ({ code, message }) => errors.push(`${code} ${message}`), error: fail });
  return { election, seen, terms, errors };
}

describe('electLeader: options', () => {
  const made = (options: object): (() => unknown) => {
    return () => electLeader(new LeaseServer().client(), { lease, ...options });
  };

  it.each<[object, string]>([
    [{ leaseDurationMs: 10_000 }, '`leaseDurationMs` of `electLeader` to be > `renewDeadlineMs` (10000), got 10000'],
    [{ retryPeriodMs: 9_000 }, '`renewDeadlineMs` of `electLeader` to be > 1.2 * `retryPeriodMs` (9000), got 10000'],
    [{ retryPeriodMs: 0 }, '`retryPeriodMs` of `electLeader` to be a finite number of milliseconds > 0, got 0'],
    [{ renewDeadlineMs: -1 }, '`renewDeadlineMs` of `electLeader` to be a finite number of milliseconds > 0, got -1'],
    [{ identity: '' }, '`identity` of `electLeader` to be a non-empty string, got ""'],
    [{ lease: { namespace: 'ns' } }, '`lease.name` of `electLeader` to be a non-empty string, got undefined'],
    [{ lease: { name: 'lease' } }, '`lease.namespace` of `electLeader` to be a non-empty string, got undefined'],
    [{ lease: { ...lease, name: '' } }, '`name` of `lease` to be a non-empty string, got ""'],
    [{ lease: undefined }, '`lease` of `electLeader` to be an object, got undefined'],
  ])('refuses %j (LE-01)', (options, message) => {
    expect(made(options)).toThrow(new TypeError(`Expected ${message}`));
  });

  it.each([
    [2_000, 1_500, true],
    [4_000, 3_000, true],
    [5_000, 3_999, false],
    [15_000, 10_000, false],
  ])('warns of a margin that candidates of client-go may use up: %d over %d', (leaseDurationMs, renewDeadlineMs, warns) => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    made({ leaseDurationMs, renewDeadlineMs, retryPeriodMs: 500 })();
    const expected = expect.stringMatching(/electLeader for ns\/lease: .* up to a second early/) as unknown as string;
    expect(warn.mock.calls).toEqual(warns ? [[expected]] : []);
    warn.mockRestore();
  });

  it('warns of it once, however many candidates of a lease there are', () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    for (const name of ['a', 'a', 'b', 'a'])
      made({ lease: { namespace: 'ns', name }, leaseDurationMs: 1_000, renewDeadlineMs: 700, retryPeriodMs: 150 })();
    expect(warn).toHaveBeenCalledTimes(2);
    warn.mockRestore();
  });

  it('refuses a duration that a lease cannot say, since leases have whole seconds (LE-10)', () => {
    expect(made({ leaseDurationMs: 15_500 })).toThrow(
      new TypeError('Expected `leaseDurationMs` of `electLeader` to be whole seconds in milliseconds, 1000 or more, got 15500'),
    );
  });

  it('knows leases alone, and no other objects to lock (LE-20)', () => {
    expect(made({ configMap: lease })).toThrow(/^Unknown option `configMap` of `electLeader`/);
  });

  it('makes up an identity that no other candidate has', () => {
    const [one, other] = [electLeader(new LeaseServer().client(), { lease }), electLeader(new LeaseServer().client(), { lease })];
    expect(one.identity).not.toBe(other.identity);
    expect(one.identity).toMatch(/^.+_[0-9a-f-]{36}$/);
  });

  it('does nothing before it is started', async () => {
    const server = new LeaseServer();
    candidate(server);
    await server.advance(60_000);
    expect(server.requests).toEqual([]);
  });
});

describe('electLeader: taking the lease', () => {
  it('makes a missing lease, and renews it every 2 s for 15 s (LE-02) (LE-07)', async () => {
    const server = new LeaseServer();
    const { election, seen, terms } = candidate(server);
    election.start();
    await server.advance(5_000);
    expect(server.take()).toEqual(['0 a get', '0 a create', '2000 a replace', '4000 a replace']);
    expect(server.lease?.spec).toEqual({
      ...{ holderIdentity: 'a', leaseDurationSeconds: 15, leaseTransitions: 0 },
      ...{ acquireTime: '1970-01-01T00:00:00.000000Z', renewTime: '1970-01-01T00:00:04.000000Z' },
    });
    expect(seen).toEqual(['0 a (self) 0']);
    expect(terms).toEqual(['0 -', '0 0']);
    expect(election.isLeader()).toBe(true);
  });

  it('counts a create that failed as a failed attempt (LE-07)', async () => {
    const server = new LeaseServer();
    server.fail('create', 409, 'AlreadyExists');
    const { election, errors } = candidate(server);
    election.start();
    await server.advance(2_000);
    expect(server.take()).toEqual(['0 a get', '0 a create', '2000 a get', '2000 a create']);
    expect(errors).toEqual([]);
  });

  it('takes at once a lease that nobody holds (LE-06)', async () => {
    const server = new LeaseServer();
    server.heldBy('');
    const { election, terms } = candidate(server);
    election.start();
    await server.advance(0);
    expect(terms).toEqual(['0 -', '0 5']);
  });

  it('tries again after the retry period times 1 to 2.2 (LE-03)', async () => {
    const server = new LeaseServer();
    server.heldBy('b', { leaseDurationSeconds: 3_600 });
    const randoms = [0, 0.5, 0.999];
    candidate(server, 'a', { random: () => randoms.shift() ?? 0 }).election.start();
    await server.advance(10_000);
    expect(server.take()).toEqual(['0 a get', '2000 a get', '5200 a get', `${2_000 * (1 + 1.2 * 0.999) + 5_200} a get`]);
  });

  it('waits until the record has not changed for as long as the record says, whatever its times say (LE-05)', async () => {
    const server = new LeaseServer();
    // Long over, by the times in it; and of half a minute, where the candidate's own leases have 15 seconds.
    server.heldBy('b', { leaseDurationSeconds: 30, renewTime: '1960-01-01T00:00:00.000000Z' });
    const { election, seen, terms } = candidate(server);
    election.start();
    await server.advance(29_000);
    expect(terms).toEqual(['0 -']);
    await server.advance(2_000);
    expect(terms).toEqual(['0 -', '30000 5']);
    expect(seen).toEqual(['0 b 4', '30000 a (self) 5']);
  });

  it('begins to wait anew whenever the record changes (LE-05)', async () => {
    const server = new LeaseServer();
    server.heldBy('b', { renewTime: '1' });
    const { election, terms } = candidate(server);
    election.start();
    await server.advance(9_000);
    server.heldBy('b', { renewTime: '2' });
    await server.advance(15_500);
    expect(terms).toEqual(['0 -']);
    await server.advance(2_000);
    expect(terms).toEqual(['0 -', '26000 5']);
  });

  it('counts a takeover as a transition, and keeps labels and annotations of others (LE-09) (LE-19)', async () => {
    const server = new LeaseServer();
    server.lease = { metadata: { labels: { team: 'web', app: 'old' }, annotations: { note: 'hands off' } } };
    server.heldBy('b', { leaseDurationSeconds: 0 });
    candidate(server, 'a', { labels: { app: 'new' } }).election.start();
    await server.advance(0);
    expect(server.lease.metadata).toMatchObject({ labels: { team: 'web', app: 'new' }, annotations: { note: 'hands off' } });
    expect(server.lease.spec).toMatchObject({ holderIdentity: 'a', leaseTransitions: 5, acquireTime: '1970-01-01T00:00:00.000000Z' });
    await server.advance(2_000);
    const renewed = { leaseTransitions: 5, acquireTime: '1970-01-01T00:00:00.000000Z', renewTime: '1970-01-01T00:00:02.000000Z' };
    expect(server.lease.spec).toMatchObject(renewed);
  });

  it('takes its own lease at once after a restart, under a new token', async () => {
    const server = new LeaseServer();
    server.heldBy('a');
    const { election, terms } = candidate(server);
    election.start();
    await server.advance(0);
    expect(terms).toEqual(['0 -', '0 5']);
  });

  it('leaves a lease alone that the control plane hands out, and says so (LE-24)', async () => {
    const server = new LeaseServer();
    server.heldBy('', { strategy: 'OldestEmulationVersion' });
    const { election, errors } = candidate(server);
    election.start();
    await server.advance(0);
    expect(server.take()).toEqual(['0 a get']);
    expect(errors).toEqual([
      'ERR_COORDINATED The control plane hands out the lease ns/lease (spec.strategy is set): candidates must not take it',
    ]);
  });

  it('asks for leases, and for no candidates of coordinated elections (LE-25)', async () => {
    const server = new LeaseServer();
    const asked = new Set<string>();
    const client = server.client();
    const get = client.get.bind(client);
    const spying = { ...client, get: ((resource, ...rest) => (asked.add(resource.plural), get(resource, ...rest))) as typeof client.get };
    electLeader(spying, { lease, scheduler: server.scheduler }).start();
    await server.advance(600_000);
    expect([...asked]).toEqual(['leases']);
  });

  it('says clearly which rights are missing, and tries again', async () => {
    const server = new LeaseServer();
    server.fail('get', 403, 'Forbidden');
    const { election, errors, terms } = candidate(server);
    election.start();
    await server.advance(2_000);
    expect(errors).toEqual([
      'ERR_FORBIDDEN This program may not get the lease ns/lease: it needs the verbs get, create and update of leases in the group coordination.k8s.io, in namespace ns',
    ]);
    expect(terms).toEqual(['0 -', '2000 0']);
  });
});

describe('electLeader: keeping the lease', () => {
  const leading = async (options: Partial<LeaderElectionOptions> = {}) => {
    const server = new LeaseServer();
    const made = candidate(server, 'a', options);
    made.election.start();
    await server.advance(0);
    server.take();
    return { server, ...made };
  };

  it('renews without a read, and reads when that fails, in one attempt (LE-08)', async () => {
    const { server, terms } = await leading();
    server.fail('replace', 409, 'Conflict');
    await server.advance(2_000);
    expect(server.take()).toEqual(['2000 a replace', '2000 a get', '2000 a replace']);
    expect(terms).toEqual(['0 -', '0 0']);
  });

  it('tries a failing renewal every retry period until the deadline after the last one that was sent well, and then gives up (LE-04)', async () => {
    const { server, terms, election } = await leading();
    await server.advance(2_000);
    for (let count = 0; count < 20; count += 1) for (const verb of ['replace', 'get']) server.fail(verb, 500, 'InternalError');
    await server.advance(9_999);
    expect(terms).toEqual(['0 -', '0 0']);
    expect(election.isLeader()).toBe(true);
    await server.advance(1);
    expect(election.isLeader()).toBe(false);
    expect(terms).toEqual(['0 -', '0 0', '12000 -']);
    expect(server.take().filter((line) => line.endsWith('replace'))).toEqual(
      [2, 4, 6, 8, 10].map((second) => `${second * 1_000} a replace`),
    );
  });

  it('gives requests half the deadline, at least a second, and no more than what is left (LE-21)', async () => {
    const { server } = await leading();
    server.bounds.splice(0);
    server.hang('replace', 5_000);
    server.hang('get', 5_000);
    await server.advance(8_000);
    expect(server.bounds.slice(0, 2)).toEqual([5_000, 3_000]);
  });

  it('counts the deadline from when a renewal was sent, not from its answer (LE-04)', async () => {
    const server = new LeaseServer();
    const { election, terms } = candidate(server);
    const slow = server.client('a');
    const create = slow.create.bind(slow);
    const late = electLeader(
      {
        ...slow,
        create: (async (...given: Parameters<typeof create>): Promise<unknown> => {
          const answer = await create(...given);
          return new Promise((resolve) => void server.scheduler.schedule(() => resolve(answer), 4_000));
        }) as typeof create,
      },
      { lease, identity: 'b', scheduler: server.scheduler, retryPeriodMs: 8_000 },
    );
    late.start();
    await server.advance(4_000);
    expect(late.isLeader()).toBe(true);
    await server.advance(6_000);
    expect(late.isLeader()).toBe(false);
    expect(terms).toEqual(['0 -']);
    expect(election.isLeader()).toBe(false);
  });

  it('ends at once when another holder stands in the lease', async () => {
    const { server, terms, seen } = await leading();
    server.heldBy('b', { leaseTransitions: 9 });
    await server.advance(2_000);
    expect(terms).toEqual(['0 -', '0 0', '2000 -']);
    expect(seen).toEqual(['0 a (self) 0', '2000 b 9']);
  });

  it('makes its lease again when somebody has deleted it, and goes on leading', async () => {
    const { server, terms } = await leading();
    server.lease = undefined;
    await server.advance(2_000);
    expect(server.take()).toEqual(['2000 a replace', '2000 a get', '2000 a create']);
    expect(terms).toEqual(['0 -', '0 0']);
  });

  it('leaves a deleted lease to a holder that may be at work (LE-07)', async () => {
    const server = new LeaseServer();
    server.heldBy('b');
    const { election, terms } = candidate(server);
    election.start();
    await server.advance(2_000);
    server.lease = undefined;
    // It may have been renewed, unseen, just before: its time counts from when it was first missed.
    await server.advance(16_900);
    expect(terms).toEqual(['0 -']);
    await server.advance(2_000);
    expect(terms).toEqual(['0 -', '20000 5']);
  });

  it('never updates a lease that it has not read (LE-19)', async () => {
    const { server } = await leading();
    await server.advance(60_000);
    expect(server.requests.some((line) => line.endsWith('get'))).toBe(false);
    const other = candidate(server, 'b');
    other.election.start();
    await server.advance(0);
    expect(server.take().at(-1)).toMatch(/ b get$/);
  });

  it('names every holder once, nobody included, but not the nobody of the beginning (LE-12)', async () => {
    const server = new LeaseServer();
    server.heldBy('', {});
    const { election, seen } = candidate(server, 'b', { leaseDurationMs: 60_000, renewDeadlineMs: 50_000 });
    server.fail('replace', 500, 'InternalError');
    election.start();
    await server.advance(0);
    expect(seen).toEqual([]);
    server.heldBy('c', { leaseDurationSeconds: 60 });
    await server.advance(4_000);
    server.heldBy('', {});
    server.fail('replace', 500, 'InternalError');
    await server.advance(2_000);
    expect(seen).toEqual(['2000 c 4', '6000 nobody 4']);
    await server.advance(2_000);
    expect(seen.at(-1)).toBe('8000 b (self) 5');
  });

  it('names a holder again when it has lost the lease and taken it, unseen', async () => {
    const server = new LeaseServer();
    const { election, seen } = candidate(server);
    server.heldBy('c');
    election.start();
    await server.advance(2_000);
    server.heldBy('c', { leaseTransitions: 6 });
    await server.advance(2_000);
    expect(seen).toEqual(['0 c 4', '4000 c 6']);
  });

  it('leads by its clock alone, and is never asked the server (LE-17)', async () => {
    const { server, election } = await leading();
    server.hang('replace', 100_000);
    // Frozen: the clock continues, but no timer runs.
    server.scheduler.frame = 9_999;
    expect(election.isLeader()).toBe(true);
    server.scheduler.frame = 10_000;
    expect(election.isLeader()).toBe(false);
  });

  it('is alive as long as it asks for its lease, whatever the server answers (LE-18)', async () => {
    const { server, election } = await leading();
    for (let count = 0; count < 100; count += 1) for (const verb of ['replace', 'get']) server.fail(verb, 503, 'ServiceUnavailable');
    await server.advance(100_000);
    expect(election.isLeader()).toBe(false);
    expect(election.check()).toBeUndefined();
    expect(election.failure(60_000)).toMatchObject({ code: 'ERR_REQUEST' });
  });

  it('is stuck when a request of it never ends', async () => {
    const { server, election } = await leading();
    server.hang('replace', 100_000);
    await server.advance(2_000);
    await server.advance(15_000);
    expect(election.check()).toBeUndefined();
    await server.advance(1);
    expect(election.check()).toMatchObject({ code: 'ERR_STALE', message: 'a has not asked for the lease ns/lease for 15001 ms' });
    expect(election.check(5_000)).toBeUndefined();
    const other = candidate(server, 'b');
    expect(other.election.check()).toBeUndefined();
    await Promise.all([election.stop(), server.advance(100_000)]);
    expect(election.check()).toBeUndefined();
  });

  it('is not stuck within a pause of the longest length after a renewal that took until the deadline', async () => {
    const { server, election } = await leading({ leaseDurationMs: 12_000 });
    server.hang('replace', 100_000);
    await server.advance(2_000);
    await server.advance(14_400);
    expect(election.check()).toBeUndefined();
    await server.advance(1);
    expect(election.check()).toMatchObject({ code: 'ERR_STALE' });
  });

  it('is known to the process until it has been stopped', async () => {
    const electors = (): number =>
      registry()
        .all()
        .filter((running) => running.figures().kind === 'elector').length;
    const before = electors();
    const { election } = await leading();
    expect(electors()).toBe(before + 1);
    await election.stop();
    expect(electors()).toBe(before);
  });

  it('records when it became leader and when it stopped leading (LE-22)', async () => {
    const notes: unknown[] = [];
    const { election } = await leading({
      recorder: { record: ({ kind, metadata }, { reason, note }) => notes.push([kind, metadata?.name, reason, note]) },
    });
    await election.stop();
    expect(notes).toEqual([
      ['Lease', 'lease', 'LeaderElection', 'a became leader'],
      ['Lease', 'lease', 'LeaderElection', 'a stopped leading'],
    ]);
  });

  it('leads, works, and releases the lease, when the sink of its metrics throws', async () => {
    const broken = (): never => fail(new Error('no metrics'));
    const { server, election, terms, errors } = await leading({ metrics: { leading: broken, slowPath: broken } });
    const works: number[] = [];
    election.whileLeading(({ token }) => [works.push(token)]).subscribe({ error: fail });
    server.fail('replace', 500, 'InternalError');
    await server.advance(2_000);
    await election.stop();
    expect([terms.length, works, server.lease?.spec?.holderIdentity]).toEqual([3, [0], '']);
    expect(new Set(errors)).toContain('ERR_REQUEST Could not measure the lease ns/lease');
  });

  it('leads, and releases the lease, when its recorder throws', async () => {
    const { server, election, terms, errors } = await leading({ recorder: { record: () => fail(new Error('no events')) } });
    await election.stop();
    expect(terms).toEqual(['0 -', '0 0', '0 -']);
    expect(server.lease?.spec?.holderIdentity).toBe('');
    expect(errors).toEqual(Array(2).fill('ERR_REQUEST Could not record an event about the lease ns/lease'));
  });

  it('reports whether it leads, and renewals that had to read (LE-23)', async () => {
    const told: string[] = [];
    const metrics = {
      leading: (name: string, isLeading: boolean) => told.push(`${name} ${isLeading}`),
      slowPath: (name: string) => told.push(`${name} slow`),
    };
    const { server, election } = await leading({ metrics });
    server.fail('replace', 500, 'InternalError');
    await server.advance(2_000);
    await election.stop();
    expect(told).toEqual(['ns/lease false', 'ns/lease true', 'ns/lease slow', 'ns/lease false']);
  });
});

describe('electLeader: work', () => {
  it('runs work while it leads, with a signal that aborts when the leadership ends (LE-11)', async () => {
    const server = new LeaseServer();
    server.heldBy('b', { leaseDurationSeconds: 5 });
    const { election } = candidate(server);
    const log: string[] = [];
    const work = ({ token, signal }: Leadership): Observable<string> =>
      new Observable((subscriber) => {
        subscriber.next(`work ${token}`);
        return () => log.push(`left, ${signal.aborted ? 'aborted' : 'not aborted'}`);
      });
    election.whileLeading(work).subscribe({ next: (value) => log.push(value), complete: () => log.push('complete'), error: fail });
    await server.advance(6_000);
    expect(log).toEqual(['work 5']);
    server.heldBy('b', { leaseDurationSeconds: 5, leaseTransitions: 6 });
    await server.advance(2_000);
    expect(log).toEqual(['work 5', 'left, aborted']);
    await server.advance(6_000);
    expect(log).toEqual(['work 5', 'left, aborted', 'work 7']);
    await election.stop();
    expect(log).toEqual(['work 5', 'left, aborted', 'work 7', 'left, aborted', 'complete']);
  });

  it('never runs work when it never leads, and completes when it is stopped (LE-11) (LE-16)', async () => {
    const server = new LeaseServer();
    server.heldBy('b', { leaseDurationSeconds: 3_600 });
    const { election } = candidate(server);
    const log: string[] = [];
    const work = (): Observable<never> => {
      log.push('work');
      return NEVER;
    };
    election.whileLeading(work).subscribe({ complete: () => log.push('complete'), error: fail });
    await server.advance(10_000);
    server.take();
    await election.stop();
    expect(log).toEqual(['complete']);
    expect(server.lease?.spec?.holderIdentity).toBe('b');
    await server.advance(60_000);
    expect(server.requests).toEqual(['10000 a get']);
  });

  it('gives the lease back only when the work has been aborted and its promise has settled (LE-14)', async () => {
    const server = new LeaseServer();
    const { election } = candidate(server);
    const log: string[] = [];
    const work = ({ signal }: Leadership): Promise<void> =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          log.push(`aborted, held by ${server.lease?.spec?.holderIdentity}`);
          server.scheduler.schedule(() => {
            log.push(`done, held by ${server.lease?.spec?.holderIdentity}`);
            resolve();
          }, 3_000);
        });
      });
    election.whileLeading(work).subscribe({ error: fail });
    await server.advance(1_000);
    const stopped = election.stop();
    await server.advance(3_000);
    await stopped;
    expect(log).toEqual(['aborted, held by a', 'done, held by a']);
    expect(server.lease?.spec?.holderIdentity).toBe('');
  });

  it('does not give the lease back while an async generator is at work, aborted or not (LE-14)', async () => {
    const server = new LeaseServer();
    const { scheduler } = server;
    const { election } = candidate(server);
    const log: string[] = [];
    async function* work(): AsyncGenerator<number> {
      yield 1;
      await new Promise<void>((resolve) => void scheduler.schedule(() => resolve(), 6_000));
      log.push(`done, held by ${server.lease?.spec?.holderIdentity}`);
      yield 2;
      log.push('never');
    }
    election.whileLeading(work).subscribe({ next: (value) => log.push(String(value)), error: fail });
    await server.advance(1_000);
    const stopped = election.stop();
    await server.advance(4_900);
    expect(server.lease?.spec?.holderIdentity).toBe('a');
    await server.advance(200);
    await stopped;
    expect(log).toEqual(['1', 'done, held by a']);
    expect(server.lease?.spec?.holderIdentity).toBe('');
  });

  it.each([
    ['begun with it', (loop: Observable<unknown>): Observable<unknown> => loop, (done: Promise<object>) => done],
    ['begun later on', (loop: Observable<unknown>) => from(Promise.resolve()).pipe(switchMap(() => loop)), (done: Promise<object>) => done],
    ['of two that have ended by themselves', (loop: Observable<unknown>) => merge(loop, NEVER), (done: Promise<object>) => done],
    [
      'an async generator',
      (loop: Observable<unknown>) => loop,
      async function* (done: Promise<object>): AsyncGenerator<object> {
        yield await done;
      },
    ],
  ])('does not give the lease back while a call of a loop works, %s (LE-14)', async (_, begin, working) => {
    const server = new LeaseServer();
    const { scheduler } = server;
    const { election } = candidate(server);
    const work = () => working(new Promise<object>((resolve) => scheduler.schedule(() => resolve({}), 6_000)));
    // It ignores its signal, and the deadline that cuts it off.
    const rateLimiter = { when: () => 100_000, forget: () => undefined, numRequeues: () => 0 };
    election
      .whileLeading(() => begin(reconcile({ sources: [['k']], reconcile: work, deadlineMs: 500, rateLimiter, scheduler })))
      .subscribe({ error: fail });
    await server.advance(1_000);
    const stopped = election.stop();
    await server.advance(4_900);
    expect(server.lease?.spec?.holderIdentity).toBe('a');
    await server.advance(200);
    await stopped;
    expect(server.lease?.spec?.holderIdentity).toBe('');
  });

  it('says what fails, when no attempt has ended well for a while', async () => {
    const server = new LeaseServer();
    const { election } = candidate(server);
    election.start();
    await server.advance(3_000);
    for (let at = 0; at < 100; at += 1) for (const verb of ['get', 'replace']) server.fail(verb, 403, 'Forbidden');
    await server.advance(59_000);
    expect(election.failure()).toBeUndefined();
    expect(election.failure(30_000)).toMatchObject({ code: 'ERR_FORBIDDEN' });
    await server.advance(5_000);
    expect(election.failure()).toMatchObject({ code: 'ERR_FORBIDDEN', cause: { message: 'Forbidden' } });
  });

  it('lets the lease run out when work goes on beyond the leadership (LE-14)', async () => {
    const server = new LeaseServer();
    const { election } = candidate(server);
    election.whileLeading(() => new Promise(() => undefined)).subscribe({ error: fail });
    await server.advance(0);
    const stopped = election.stop();
    await server.advance(10_000);
    await stopped;
    expect(server.lease?.spec?.holderIdentity).toBe('a');
  });

  it('fails with the error of the work, and says what is wrong with work that is nothing', async () => {
    const server = new LeaseServer();
    const { election } = candidate(server);
    const errors: unknown[] = [];
    election.whileLeading(() => Promise.reject(new Error('broken'))).subscribe({ error: (error: unknown) => errors.push(error) });
    election.whileLeading((() => undefined) as never).subscribe({ error: (error: unknown) => errors.push(error) });
    await server.advance(0);
    expect(errors.map(String)).toEqual([
      'TypeError: Expected the work of `whileLeading` to return an Observable or a promise, got undefined',
      'Error: broken',
    ]);
  });
});

describe('electLeader: giving the lease back', () => {
  it('reads and writes: nobody, one second, now, transitions kept (LE-13)', async () => {
    const server = new LeaseServer();
    server.heldBy('', { leaseTransitions: 2 });
    const { election, seen } = candidate(server);
    election.start();
    await server.advance(3_000);
    server.take();
    await election.stop();
    expect(server.take()).toEqual(['3000 a get', '3000 a replace']);
    const now = '1970-01-01T00:00:03.000000Z';
    expect(server.lease?.spec).toMatchObject({
      holderIdentity: '',
      leaseDurationSeconds: 1,
      leaseTransitions: 3,
      acquireTime: now,
      renewTime: now,
    });
    expect(seen).toEqual(['0 a (self) 3', '3000 a 3', '3000 nobody 3']);
  });

  it('asks for nothing if it was stopped before its start', async () => {
    const server = new LeaseServer();
    const { election } = candidate(server);
    await election.stop();
    election.start();
    await server.advance(100_000);
    expect(server.take()).toEqual([]);
  });

  it('tries again on a conflict, and ends on any other error (LE-13)', async () => {
    const server = new LeaseServer();
    const { election } = candidate(server);
    election.start();
    await server.advance(0);
    server.take();
    server.fail('replace', 409, 'Conflict');
    await election.stop();
    expect(server.take()).toEqual(['0 a get', '0 a replace', '0 a get', '0 a replace']);

    const other = candidate(server, 'b');
    other.election.start();
    await server.advance(0);
    server.fail('replace', 500, 'InternalError');
    await other.election.stop();
    expect(server.lease?.spec?.holderIdentity).toBe('b');
    expect(other.errors).toEqual(['ERR_REQUEST Could not update the lease ns/lease; it is not released, and ends by itself']);
  });

  it('never touches the lease of a successor that it has not noticed (LE-15)', async () => {
    const server = new LeaseServer();
    const { election } = candidate(server);
    election.start();
    await server.advance(0);
    server.heldBy('b');
    await election.stop();
    expect(server.lease?.spec?.holderIdentity).toBe('b');
  });

  it('keeps the lease when it is told to', async () => {
    const server = new LeaseServer();
    const { election } = candidate(server, 'a', { releaseOnStop: false });
    election.start();
    await server.advance(0);
    await election.stop();
    expect(server.lease?.spec?.holderIdentity).toBe('a');
  });

  it('gives it back once when whoever hears of the end stops it again, and ends the term for those who hear of its beginning later', async () => {
    const server = new LeaseServer();
    const election = electLeader(server.client('a'), { lease, identity: 'a', scheduler: server.scheduler, random: () => 0 });
    const stops = new Set<Promise<void>>();
    let begun = 0;
    election.leadership$.subscribe((term) => {
      if (term !== undefined) begun += 1;
      if (begun > 0) stops.add(election.stop());
    });
    const terms: (number | undefined)[] = [];
    election.leadership$.subscribe((term) => terms.push(term?.token));
    election.start();
    await server.advance(0);
    await Promise.all(stops);
    expect([stops.size, terms]).toEqual([1, [undefined, 0, undefined]]);
    expect(server.take()).toEqual(['0 a get', '0 a create', '0 a get', '0 a replace']);
  });

  it('names nobody last to all who hear of it, although the first one stops it when it leads', async () => {
    const server = new LeaseServer();
    const election = electLeader(server.client('a'), { lease, identity: 'a', scheduler: server.scheduler, random: () => 0 });
    election.leader$.subscribe(({ isSelf }) => isSelf && void election.stop());
    const heard: string[] = [];
    election.leader$.subscribe(({ holder, isSelf }) => heard.push(isSelf ? `${holder} (self)` : holder));
    election.start();
    await server.advance(0);
    await election.stop();
    expect(heard).toEqual(['a (self)', 'a', '']);
  });

  it('hands over within a retry period', async () => {
    const server = new LeaseServer();
    const one = candidate(server, 'a');
    const other = candidate(server, 'b');
    one.election.start();
    await server.advance(0);
    other.election.start();
    await server.advance(5_000);
    await one.election.stop();
    await server.advance(2_000);
    expect(other.terms).toEqual(['0 -', '6000 1']);
    expect(other.seen).toEqual(['0 a 0', '6000 nobody 0', '6000 b (self) 1']);
  });

  it('ends for good: a stopped candidate stands no more (LE-16)', async () => {
    const server = new LeaseServer();
    const { election } = candidate(server);
    election.start();
    await server.advance(0);
    await election.stop();
    server.take();
    election.start();
    await server.advance(60_000);
    expect(server.requests).toEqual([]);
  });
});
