import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { tap, VirtualTimeScheduler } from 'rxjs';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import { reflect } from '../../../src/source/reflector/reflect.js';
import { advanceBy } from '../../../src/testing/marbles/advanceBy.js';
import { checkSourceGrammar } from '../../../src/testing/suites/checkSourceGrammar.js';
import { FakeListerWatcher } from '../../../src/testing/fakes/fakeListerWatcher.js';
import { foldSource } from '../../../src/testing/suites/foldSource.js';
import {
  connectionError,
  expiredStatus,
  failureStatus,
  statusError,
  tooLargeResourceVersionStatus,
} from '../../../src/testing/fakes/serverErrors.js';
import { record } from '../recording/record.js';
import { runs } from '../../tier.js';

type Command =
  | { type: 'write' | 'loseWrite'; name: string }
  | { type: 'delete'; name: string }
  | { type: 'wait'; ms: number }
  | { type: 'fail'; verb: 'list' | 'watch'; error: number }
  | { type: 'hang'; verb: 'list' | 'watch' }
  | { type: 'event'; status: number }
  | { type: 'compact' | 'expire' | 'close' | 'reset' | 'stall' | 'stop' | 'start' };

const statuses = [
  failureStatus(500, 'InternalError', 'etcd'),
  failureStatus(429, 'TooManyRequests', 'busy', { retryAfterSeconds: 2 }),
  failureStatus(410, 'Gone', 'gone'),
  expiredStatus('1', '2'),
  tooLargeResourceVersionStatus('9', '8'),
  failureStatus(403, 'Forbidden', 'no'),
  failureStatus(422, 'Invalid', 'no'),
];
const errors = [
  ...statuses.map(({ code = 0, reason = '', message = '' }) => statusError(code, reason, message)),
  connectionError('ECONNREFUSED'),
  connectionError('ECONNRESET'),
  new SyntaxError('no JSON'),
];

const names = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const verb = fc.constantFrom('list' as const, 'watch' as const);
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constantFrom('write' as const, 'write' as const, 'loseWrite' as const), name: names }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('delete' as const), name: names }) },
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant('wait' as const), ms: fc.constantFrom(1, 3, 500, 1500, 12_000, 80_000, 400_000) }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('fail' as const), verb, error: fc.nat(errors.length - 1) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('hang' as const), verb }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('event' as const), status: fc.nat(statuses.length - 1) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constantFrom('compact', 'expire', 'close', 'reset', 'stall', 'stop', 'start' as const),
    }),
  },
);

const settings = fc.record({
  watchList: fc.constantFrom('on' as const, 'refused' as const, 'ignored' as const),
  listStrategy: fc.constantFrom('auto' as const, 'list' as const),
  latencyMs: fc.constantFrom(0, 5),
  chunkSize: fc.constantFrom(Infinity, 2),
  pageSize: fc.constantFrom(undefined, 2),
  bookmarkIntervalMs: fc.constantFrom(60_000, Infinity),
});

function write(server: FakeListerWatcher, name: string): void {
  const object: KubernetesObject = { metadata: { namespace: 'default', name } };
  if (server.get(`default/${name}`) === undefined) server.add(object);
  else server.modify(object);
}

function carryOut(server: FakeListerWatcher, scheduler: VirtualTimeScheduler, step: Command): void {
  switch (step.type) {
    case 'write':
      write(server, step.name);
      break;
    case 'loseWrite':
      server.loseEvents(() => write(server, step.name));
      break;
    case 'delete':
      if (server.get(`default/${step.name}`) !== undefined) server.delete(`default/${step.name}`);
      break;
    case 'wait':
      advanceBy(scheduler, step.ms);
      break;
    case 'fail':
      server.failNext(step.verb, errors[step.error]);
      break;
    case 'hang':
      server.hangNext(step.verb);
      break;
    case 'event':
      server.fail(statuses[step.status] ?? {});
      break;
    default: {
      server[step.type]();
      return;
    }
  }
}

describe('reflect', () => {
  it('ends with what the server has, whatever went wrong before (RW-13, RX-10)', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), settings, (commands, { listStrategy, pageSize, ...options }) => {
        const scheduler = new VirtualTimeScheduler();
        const server = new FakeListerWatcher({ scheduler, ...options });
        const fold = foldSource<KubernetesObject>();
        const source = reflect(server, { scheduler, random: () => 0.5, listStrategy, pageSize });
        const { errors: problems, subscription } = record(
          source.pipe(
            checkSourceGrammar(),
            tap((event) => fold.apply(event)),
          ),
        );
        for (const step of commands) carryOut(server, scheduler, step);
        server.start();
        advanceBy(scheduler, 3_600_000);
        // Only a list reveals events that were lost.
        if (commands.some(({ type }) => type === 'loseWrite')) server.expire();
        advanceBy(scheduler, 3_600_000);
        const folded = [...(fold.scopes.get('') ?? [])].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
        expect(folded).toEqual(server.objects());
        expect(problems).toEqual([]);
        expect(server.openWatches).toBe(1);
        subscription.unsubscribe();
        expect(server.openWatches).toBe(0);
        expect(scheduler.actions).toHaveLength(0);
      }),
      { numRuns: runs(400) },
    );
  });
});
