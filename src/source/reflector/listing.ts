import { failureKind } from './failureKind.js';
import { lists } from './lists.js';
import type { Happening, ListingState, Outcome, Turn } from './state.js';
import { tell, type Failure } from './tell.js';

/** A list that failed because of the version it asked for is repeated at once without one; any other is tried again later. */
function failed<T>({ memory, asked, limit }: ListingState, error: unknown, turn: Turn<T>): Outcome {
  const kind = failureKind(error);
  const ofVersion = (kind === 'expired' || kind === 'tooLargeResourceVersion') && asked.resourceVersion !== '';
  const what = `Cannot list ${turn.context.source.resource}`;
  const failure: Failure = { code: lists.errorCode(kind), what, cause: error, lost: kind === 'connection' };
  if (!ofVersion) return tell.retryLater(turn, memory, failure, { type: 'list', reason: 'error' });
  const told = tell.failure(turn, { ...memory, versionUnavailable: true }, failure, { state: 'listing' });
  return { type: 'begin', memory: told, next: { type: 'list', reason: 'expired', plain: true, limit } };
}

function ended<T>({ memory, asked }: ListingState, resourceVersion: string, paginated: boolean, turn: Turn<T>): Outcome {
  const exact = asked.resourceVersionMatch === 'Exact' && resourceVersion !== asked.resourceVersion;
  const what = `Listed ${turn.context.source.resource} at version ${resourceVersion}, although version ${asked.resourceVersion} was asked for`;
  const told = exact ? tell.failure(turn, memory, { code: 'ERR_LIST', what }) : memory;
  const paged = memory.paginated || (asked.resourceVersion === '0' && paginated);
  tell.ready(turn, resourceVersion);
  return { type: 'begin', memory: { ...lists.completed(turn, told, resourceVersion), paginated: paged }, next: { type: 'watch' } };
}

/**
 * What a list in pages makes of what happens.
 *
 * @internal
 */
export function listing<T>(state: ListingState, happening: Happening<T>, turn: Turn<T>): Outcome {
  switch (happening.type) {
    case 'items':
      tell.page(turn, happening.items);
      return state;
    case 'restart': {
      const what = `Cannot list ${turn.context.source.resource} to the end`;
      const memory = tell.failure(turn, state.memory, { code: 'ERR_LIST', what, cause: happening.error });
      tell.init(turn, 'expired', memory);
      return { ...state, memory };
    }
    case 'end':
      return ended(state, happening.resourceVersion, happening.paginated, turn);
    case 'listFailed':
      return failed(state, happening.error, turn);
    default:
      return state;
  }
}
