import { concatMap, defer, type Observable } from 'rxjs';
import { checkOptions, rules } from '../../api/options.js';
import { createDiscovery } from '../discovery/createDiscovery.js';
import type { KubeClient, SendOptions } from '../kubeClient.js';
import { successful } from './answer.js';
import { collectionRequests } from './collectionRequests.js';
import { objectRequests } from './objectRequests.js';
import type { Requester } from './requester.js';
import { requestName } from './requestError.js';
import type { TransportRequest } from './transport.js';
import { WholeRequester } from './wholeRequester.js';

/** What a client has beside lists in parts and watches, which are all that an informer needs. */
export type WholeRequests = Omit<KubeClient, 'server' | 'defaultNamespace' | 'writes$' | 'listChunks' | 'watch' | 'watchList' | 'close'>;

/** The bytes of the answer to one GET as a cold observable. */
function readPath(requester: Requester, path: string, request: SendOptions = {}): Observable<Uint8Array> {
  checkOptions('readPath', request, { beforeSend: rules.function, rateLimited: rules.boolean });
  if (typeof path !== 'string' || !path.startsWith('/'))
    throw new TypeError(`Expected a path that begins with a slash, got ${JSON.stringify(path)}`);
  // Compression would buffer the lines of a log.
  const headers = { 'accept-encoding': 'identity', accept: '*/*' };
  const sent: TransportRequest = { method: 'GET', path, headers, beforeSend: request.beforeSend };
  return defer(() => requester.open(sent, request.rateLimited)).pipe(
    successful(requestName(sent)),
    concatMap((event) => (event.type === 'data' ? [event.chunk] : [])),
  );
}

/** The methods of a client that read and write objects, read paths and discover resources. */
export function wholeRequests(requester: Requester): WholeRequests {
  const whole = new WholeRequester(requester);
  return {
    ...objectRequests<undefined>(whole),
    ...collectionRequests(requester, whole),
    status: objectRequests<undefined>(whole, 'status'),
    scale: objectRequests(whole, 'scale'),
    readPath: (path, request) => readPath(requester, path, request),
    discovery: createDiscovery((path, accept) => whole.object({ method: 'GET', path, headers: { accept } })),
  };
}
