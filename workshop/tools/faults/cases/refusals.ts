import type { RemoteFaultInit } from '../../../../spec/e2e/serverControl.js';
import type { FaultCase } from '../faultCase.js';
import type { Scene } from '../scene.js';

const file = 'spec/e2e/networkFaults.spec.ts';
const minuteMs = 60_000;
const outage = { noticedMs: 2_000, consistentMs: 60_000, perMinute: 20, lost: 'the states between' } as const;

/** Refuses everything after the end of the current watch. */
const refuse =
  (fault: Omit<Extract<RemoteFaultInit, { readonly type: 'answer' }>, 'type'>) =>
  async (scene: Scene): Promise<void> => {
    await scene.inject({ type: 'answer', verb: ['list', 'watch'], ...fault, ...(fault.count === undefined && { forMs: minuteMs }) });
    await scene.endWatch();
  };

/** Refusals by the server. */
export const refusals: readonly FaultCase[] = [
  {
    id: 'forbidden',
    fault: 'not allowed any more (403), for a minute',
    lastsMs: minuteMs,
    begin: refuse({ code: 403 }),
    promise: outage,
    spec: { file, title: 'keeps what it has while it is not allowed to' },
  },
  {
    id: 'unauthorized',
    fault: 'credentials are refused (401), for a minute',
    lastsMs: minuteMs,
    begin: refuse({ code: 401 }),
    promise: outage,
    spec: { file, title: 'says so while its token is refused, and goes on with the next' },
  },
  {
    id: 'newToken',
    fault: 'a token is refused (401), and there is another one',
    client: (scene) => ({
      server: scene.url,
      userAgent: scene.userAgent,
      token: () => {
        // The old token is returned once more after it was revoked, like by a cache.
        if (scene.notes.get('next') === 'old') scene.notes.set('token', 'old');
        else if (scene.notes.get('next') === 'new') scene.notes.set('token', 'new');
        if (scene.notes.has('revoked')) scene.notes.set('next', 'new');
        return `${scene.notes.get('token') ?? 'old'}-${scene.namespace}`;
      },
    }),
    prepare: async (scene) => {
      for (const token of ['old', 'new']) await scene.control.act('add-token', { token: `${token}-${scene.namespace}`, user: 'informer' });
    },
    begin: async (scene) => {
      await scene.control.act('revoke-token', { token: `old-${scene.namespace}` });
      scene.notes.set('revoked', 'yes');
      await scene.endWatch();
    },
    promise: { noticedMs: 2_000, consistentMs: 3_000, perMinute: 5, lost: 'nothing' },
    spec: { file, title: 'asks for another one as soon as its own is refused, and notices nothing' },
  },
  {
    id: 'notServed',
    fault: 'the resource is not served (404), for a minute',
    lastsMs: minuteMs,
    begin: refuse({ code: 404 }),
    promise: outage,
    spec: { file, title: 'waits until it is defined, and again when it is defined anew' },
  },
  {
    id: 'unavailable',
    fault: 'the server answers everything with 503, for a minute',
    lastsMs: minuteMs,
    begin: refuse({ code: 503 }),
    promise: outage,
    spec: { file: 'spec/source/reflector/endOfWatch.spec.ts', title: 'longer after each failure, up to 30 s: %i before (RX-05, RX-06)' },
  },
  {
    id: 'retryAfter',
    fault: 'one 429 with Retry-After of five seconds',
    begin: refuse({ code: 429, retryAfterSeconds: 5, count: 1 }),
    promise: { noticedMs: 2_000, consistentMs: 10_000, perMinute: 5, lost: 'the states between' },
    spec: { file: 'spec/client/requests/retryAfter.spec.ts', title: 'waits as long as a %i says, then sends again (RT-03)' },
  },
  {
    id: 'absurdRetryAfter',
    fault: 'one 503 with Retry-After of a day',
    begin: refuse({ code: 503, retryAfterSeconds: 86_400, count: 1 }),
    promise: { noticedMs: 2_000, consistentMs: 65_000, perMinute: 5, lost: 'the states between' },
    spec: {
      file: 'spec/source/reflector/endOfWatch.spec.ts',
      title: 'as long as the server asks for, up to a minute, and up to a tenth of the first delay longer (RT-03)',
    },
  },
  {
    id: 'stormOfErrors',
    fault: 'each watch ends with an ERROR event of 500 before its first event, for a minute',
    lastsMs: minuteMs,
    begin: (scene) => scene.inject({ type: 'endWatch', errorCode: 500, forMs: minuteMs }),
    promise: { ...outage, perMinute: 30 },
    spec: { file, title: 'misses nothing over a watch that ends with an ERROR event of %d, and reports %s' },
  },
  {
    id: 'stormOfEnds',
    fault: 'each watch ends in good order before its first event, for a minute',
    lastsMs: minuteMs,
    begin: (scene) => scene.inject({ type: 'endWatch', forMs: minuteMs }),
    promise: { ...outage, perMinute: 30 },
    spec: {
      file: 'spec/source/reflector/reflect.spec.ts',
      title: 'asks a server that sends one new event and closes a hundred times at once, and ten times a second after that',
    },
  },
  {
    id: 'stormOfExpiry',
    fault: 'each watch is answered with 410, for a minute',
    lastsMs: minuteMs,
    options: () => ({ listStrategy: 'list' }),
    begin: async (scene) => {
      await scene.inject({ type: 'answer', code: 410, verb: 'watch', forMs: minuteMs });
      await scene.endWatch();
    },
    promise: { ...outage, perMinute: 30 },
    spec: { file, title: 'misses nothing when a watch cannot be opened again for %j, and reports %s' },
  },
];
