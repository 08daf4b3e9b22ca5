import { gzipGateway } from '../../../../spec/e2e/gzipGateway.js';
import type { FaultCase } from '../faultCase.js';

const file = 'spec/e2e/networkFaults.spec.ts';

/** Faults of lists, including those of Kubernetes 1.37. */
export const listFaults: readonly FaultCase[] = [
  {
    id: 'slowList',
    fault: 'a list comes slowly, in pieces that split characters',
    startsLate: true,
    options: () => ({ listStrategy: 'list' }),
    begin: (scene) => scene.inject({ type: 'drip', bytes: 61, everyMs: 100, verb: 'list', count: 1 }),
    promise: { noticedMs: Infinity, consistentMs: 10_000, perMinute: 5, lost: 'nothing' },
    spec: { file, title: 'understands bytes that come slowly and in odd pieces (%s)' },
  },
  {
    id: 'cutList',
    fault: 'a first list breaks off in the middle, three times',
    startsLate: true,
    noticedBy: 'ERR_LIST',
    options: () => ({ listStrategy: 'list' }),
    begin: (scene) => scene.inject({ type: 'cut', at: 'body', verb: 'list', count: 3 }),
    promise: { noticedMs: 2_000, consistentMs: 15_000, perMinute: 10, lost: 'nothing' },
    spec: { file, title: 'gets through a list that breaks off, again and again (%s)' },
  },
  {
    id: 'silentList',
    fault: 'a list goes silent in the middle',
    startsLate: true,
    noticedBy: 'ERR_LIST',
    options: () => ({ listStrategy: 'list' }),
    begin: (scene) => scene.inject({ type: 'freeze', at: 'body', afterBytes: 100, verb: 'list', count: 1 }),
    promise: { noticedMs: 61_000, consistentMs: 65_000, perMinute: 5, lost: 'nothing' },
    spec: { file: 'spec/source/reflector/lists.spec.ts', title: 'at version %j, after %s: %j (RL-07)' },
  },
  {
    id: 'compressedList',
    fault: 'streamed lists are compressed, a gzip member for each flush (1.37)',
    startsLate: true,
    prepare: async (scene) => scene.notes.set('gateway', await gzipGateway(scene.url)),
    client: ({ notes, token, userAgent }) => ({ server: notes.get('gateway'), token, userAgent }),
    begin: (scene) => scene.inject({ type: 'compress', verb: 'watch' }),
    promise: { noticedMs: Infinity, consistentMs: 3_000, perMinute: 5, lost: 'nothing' },
    spec: {
      file: 'workshop/spec/runtimes/runtimes.spec.ts',
      title: 'follows a server that compresses streamed lists member by member, over cut connections and an expired history',
    },
  },
  {
    id: 'missingMarker',
    fault: 'the mark at the end of a streamed list never comes (1.37)',
    startsLate: true,
    noticedBy: 'ERR_WATCH_LIST',
    begin: (scene) => scene.inject({ type: 'withhold', what: 'marker' }),
    promise: { noticedMs: 12_000, consistentMs: 15_000, perMinute: 5, lost: 'nothing' },
    spec: {
      file: 'workshop/spec/runtimes/runtimes.spec.ts',
      title: 'waits for a server that warms up, and lists where the end of a stream never comes',
    },
  },
  {
    id: 'warmUp',
    fault: 'the server warms up for 20 seconds: 429 with Retry-After of one second (1.37)',
    startsLate: true,
    lastsMs: 20_000,
    noticedBy: 'ERR_WATCH_LIST',
    begin: (scene) => scene.inject({ type: 'answer', code: 429, retryAfterSeconds: 1, verb: ['list', 'watch'], forMs: 20_000 }),
    promise: { noticedMs: 2_000, consistentMs: 30_000, perMinute: 40, lost: 'nothing' },
    spec: {
      file: 'workshop/spec/runtimes/runtimes.spec.ts',
      title: 'waits for a server that warms up, and lists where the end of a stream never comes',
    },
  },
  {
    id: 'html',
    fault: 'something else answers with a page of HTML, for 20 seconds',
    lastsMs: 20_000,
    begin: async (scene) => {
      await scene.inject({ type: 'answer', code: 200, body: '<html>Welcome</html>', contentType: 'text/html', forMs: 20_000 });
      await scene.endWatch();
    },
    promise: { noticedMs: 2_000, consistentMs: 40_000, perMinute: 15, lost: 'the states between' },
    spec: { file, title: 'takes an answer of another content for a failure (%s)' },
  },
];
