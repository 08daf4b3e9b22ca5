import { defer, Observable } from 'rxjs';
import { checkOptions, rules } from '../../api/options.js';
import type { SendOptions } from '../kubeClient.js';
import { answerError, joinBytes, maxErrorBytes } from './answer.js';
import type { Requester } from './requester.js';
import { requestName } from './requestError.js';
import type { TransportRequest } from './transport.js';

/** The bytes of the answer to one GET as a cold observable. */
export function readPath(requester: Requester, path: string, request: SendOptions = {}): Observable<Uint8Array> {
  checkOptions('readPath', request, { beforeSend: rules.function, rateLimited: rules.boolean });
  if (typeof path !== 'string' || !path.startsWith('/'))
    throw new TypeError(`Expected a path that begins with a slash, got ${JSON.stringify(path)}`);
  // A compressed log would hold lines back.
  const sent: TransportRequest = {
    method: 'GET',
    path,
    headers: { 'accept-encoding': 'identity', accept: '*/*' },
    beforeSend: request.beforeSend,
  };
  return defer(() => {
    let head = { status: 0, headers: {} };
    const refusal: Uint8Array[] = [];
    let length = 0;
    const isSuccess = (): boolean => head.status >= 200 && head.status < 300;
    return new Observable<Uint8Array>((subscriber) => {
      const refuse = (): void => subscriber.error(answerError({ ...head, body: joinBytes(refusal) }, requestName(sent)));
      return requester.open(sent, request.rateLimited).subscribe({
        next: (event) => {
          if (event.type === 'head') head = event;
          else if (isSuccess()) subscriber.next(event.chunk);
          else {
            refusal.push(event.chunk);
            length += event.chunk.length;
            if (length > maxErrorBytes) refuse();
          }
        },
        error: (error: unknown) => subscriber.error(error),
        complete: () => {
          if (isSuccess()) subscriber.complete();
          else refuse();
        },
      });
    });
  });
}
