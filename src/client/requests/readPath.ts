import { concatMap, defer, type Observable } from 'rxjs';
import { checkOptions, rules } from '../../api/options.js';
import type { SendOptions } from '../kubeClient.js';
import { successful } from './answer.js';
import type { Requester } from './requester.js';
import { requestName } from './requestError.js';
import type { TransportRequest } from './transport.js';

/** The bytes of the answer to one GET as a cold observable. */
export function readPath(requester: Requester, path: string, request: SendOptions = {}): Observable<Uint8Array> {
  checkOptions('readPath', request, { beforeSend: rules.function, rateLimited: rules.boolean });
  if (typeof path !== 'string' || !path.startsWith('/'))
    throw new TypeError(`Expected a path that begins with a slash, got ${JSON.stringify(path)}`);
  // Compression would buffer the lines of a log.
  const sent: TransportRequest = {
    method: 'GET',
    path,
    headers: { 'accept-encoding': 'identity', accept: '*/*' },
    beforeSend: request.beforeSend,
  };
  return defer(() => requester.open(sent, request.rateLimited)).pipe(
    successful(requestName(sent)),
    concatMap((event) => (event.type === 'data' ? [event.chunk] : [])),
  );
}
