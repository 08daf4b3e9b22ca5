import type { KubeClient } from './kubeClient.js';
import { wholeRequests } from './requests/wholeRequests.js';
import { type KubeClientInit, Requester } from './requests/requester.js';
import { listChunks, watchEvents } from './requests/streams.js';

/** A client over any transport. */
export function createKubeClient(init: KubeClientInit): KubeClient {
  const requester = new Requester(init);
  return {
    server: async () => (await requester.connection()).transport.server,
    defaultNamespace: async () => (await requester.connection()).defaultNamespace,
    writes$: requester.writes$,
    ...wholeRequests(requester),
    listChunks: (resource, request) => listChunks(requester, resource, request),
    watch: (resource, request) => watchEvents(requester, resource, request),
    watchList: init.watchList ?? true,
    close: () => requester.close(),
  };
}
