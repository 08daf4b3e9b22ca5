import { InformerError } from '../../api/errors/informerError.js';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import { messageOf } from '../../api/errors/messageOf.js';

/** The error of a user's function that failed at an event. */
export function handlerError(who: string, cause: unknown, event: ResourceEvent<unknown>): InformerError {
  const key = event.type === 'synced' ? undefined : event.key;
  const what = key === undefined ? event.type : `${event.type} ${key}`;
  return new InformerError({ code: 'ERR_HANDLER', message: `${who} failed at ${what}: ${messageOf(cause)}`, cause, key });
}
