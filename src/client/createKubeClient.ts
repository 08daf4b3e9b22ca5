import type { SchedulerLike } from 'rxjs';
import { defaults } from '../api/defaults.js';
import type { ClientOptions } from './clientOptions.js';
import type { Connection } from './requests/transport.js';
import type { KubeClient } from './kubeClient.js';
import { schedulerOf } from '../rx/schedulerOf.js';
import { TokenBucket } from '../rx/tokenBucket.js';
import { wholeRequests } from './requests/wholeRequests.js';
import { Requester } from './requests/requester.js';
import { listChunks, watchEvents } from './requests/streams.js';

/** What a client is built from. */
export interface KubeClientInit extends Pick<ClientOptions, 'requestTimeoutMs' | 'compression' | 'qps' | 'burst'> {
  readonly userAgent?: string | undefined;
  /** Connects. Called at the first request, and again after a failure. */
  readonly connect: () => Promise<Connection>;
  readonly scheduler?: SchedulerLike | undefined;
  /** Default `true`. */
  readonly watchList?: boolean | undefined;
}

/** The burst of client-go's rate limiter. */
const defaultBurst = 10;

/** A client over any transport. */
export function createKubeClient(init: KubeClientInit): KubeClient {
  const { connect, userAgent, requestTimeoutMs = defaults.requestTimeoutMs, compression = false, qps, burst = defaultBurst } = init;
  const { watchList = true } = init;
  const scheduler = schedulerOf(init.scheduler);
  const limiter = qps === undefined ? undefined : new TokenBucket({ qps, burst, scheduler });
  const requester = new Requester({ connect, userAgent, requestTimeoutMs, compression, limiter, scheduler });
  return {
    server: async () => (await requester.connection()).transport.server,
    defaultNamespace: async () => (await requester.connection()).defaultNamespace,
    writes$: requester.writes$,
    ...wholeRequests(requester),
    listChunks: (resource, request) => listChunks(requester, resource, request),
    watch: (resource, request) => watchEvents(requester, resource, request),
    watchList,
    close: () => requester.close(),
  };
}
