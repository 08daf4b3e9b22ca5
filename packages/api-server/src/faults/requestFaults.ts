import { StatusError } from '../status/statusError.js';
import type { HookedRequest } from '../hooks.js';
import type { Clock } from 'rx-informer/workqueue';
import type { AnswerFault } from './fault.js';
import { connectionOf } from '../http/connectionOf.js';
import { statusOfCode } from './faultStatus.js';
import type { FaultSet } from './faultSet.js';

function answer(request: HookedRequest, fault: AnswerFault): void {
  const { response } = request;
  const { code, message, reason, retryAfterSeconds, body, contentType = 'text/plain; charset=utf-8' } = fault;
  const retry = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  if (body !== undefined) {
    response.writeHead(code, { 'content-type': contentType, ...retry });
    response.end(body);
    return;
  }
  const { status } = statusOfCode(request, code);
  const { details } = status;
  throw new StatusError({
    ...status,
    ...(message !== undefined && { message }),
    ...(reason !== undefined && { reason }),
    ...(retryAfterSeconds !== undefined && { details: { ...details, retryAfterSeconds } }),
  });
}

/** Applies faults before a request is handled. Resolves with true when the request has been answered. */
export async function strikeRequest(faults: FaultSet, clock: Clock, request: HookedRequest): Promise<boolean> {
  const delay = faults.strike(request, 'delay');
  if (delay !== undefined) await new Promise<void>((resolve) => clock.schedule(resolve, delay.ms));
  if (faults.strike(request, 'freeze', ({ at }) => at === 'headers') !== undefined) return true;
  const cut = faults.strike(request, 'cut', ({ at }) => at === 'headers');
  if (cut !== undefined) {
    const connection = connectionOf(request.incoming);
    if (cut.how === 'end') connection.end();
    else connection.destroy();
    return true;
  }
  const fault = faults.strike(request, 'answer');
  if (fault === undefined) return false;
  answer(request, fault);
  return true;
}
