import { InformerError } from '../../api/errors/informerError.js';
import type { InformerHealth } from '../../api/events/informerHealth.js';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import { messageOf } from '../../api/errors/messageOf.js';

/** Who an error is about. */
export interface ErrorSubject {
  readonly name: string;
  readonly resource: string;
  readonly health: InformerHealth;
}

/** The error of a call that an informer cannot carry out any more. Its cause is what ended the informer, if it was not `stop`. */
export function stoppedError({ name, resource, health }: ErrorSubject, what: string): InformerError {
  return new InformerError({ code: 'ERR_STOPPED', message: `The informer ${name} ${what}`, cause: health.error, resource });
}

/** The error of a wait that took too long. Its cause is the informer's last failure. */
export function tooLateError({ name, resource, health }: ErrorSubject, timeoutMs: number | undefined): InformerError {
  const { state, error } = health;
  const why = error === undefined ? `it is ${state}` : error.message;
  return new InformerError({
    code: 'ERR_TIMEOUT',
    message: `The informer ${name} did not sync within ${timeoutMs ?? 0} ms: ${why}`,
    cause: error,
    resource,
  });
}

/** The error of an index function that failed for one object. */
export function indexError(resource: string, cause: unknown, indexName: string, key: string): InformerError {
  const message = `The index function ${JSON.stringify(indexName)} of ${resource} failed for ${key}: ${messageOf(cause)}`;
  return new InformerError({ code: 'ERR_INDEX_FUNC', message, cause, resource, key });
}

/** The error of a user's function that failed at an event. */
export function handlerError(who: string, cause: unknown, event: ResourceEvent<unknown>): InformerError {
  const key = event.type === 'synced' ? undefined : event.key;
  const what = key === undefined ? event.type : `${event.type} ${key}`;
  return new InformerError({ code: 'ERR_HANDLER', message: `${who} failed at ${what}: ${messageOf(cause)}`, cause, key });
}
