import { defaults } from '../../api/defaults.js';
import type { ListSemantics } from './reflectOptions.js';
import { failureKind, report } from './report.js';
import type { Context, Memory, RelistVersion, Turn, Happening, ListingState, Transition } from './state.js';

/** The semantics of the next list. */
function semanticsOf(memory: Memory, { settings }: Context): ListSemantics {
  return memory.consistent ? 'mostRecent' : settings.listSemantics;
}

/** The parameters of the next list, and the memory after one. @internal */
export const lists = {
  /** Whether to stream the list over a watch. An exact version, which only the first list can ask for, cannot be streamed. */
  streams(memory: Memory, context: Context, at: number): boolean {
    const { listStrategy } = context.settings;
    if (listStrategy !== 'auto') return listStrategy === 'watchList';
    const semantics = semanticsOf(memory, context);
    const exact = typeof semantics === 'object' && 'exact' in semantics && memory.version === '';
    return !exact && context.source.watchList !== false && (context.refusals.get(context.source.resource) ?? -Infinity) <= at;
  },

  /** The minimum version of a streamed list; `''` for the most recent state, also for the first list. */
  streamedVersion(memory: Memory, context: Context): string {
    const isAny = memory.version === '' && semanticsOf(memory, context) === 'any';
    return isAny ? '' : lists.pagedVersion(memory, context).resourceVersion;
  },

  /** The version of a list in pages: as in client-go `0`, then the last version, then `''`, unless `listSemantics` says otherwise. */
  pagedVersion(memory: Memory, context: Context): RelistVersion {
    const semantics = semanticsOf(memory, context);
    const { version } = memory;
    if (memory.versionUnavailable || semantics === 'mostRecent') return { resourceVersion: '' };
    if (semantics === 'any') return { resourceVersion: version === '' ? '0' : version };
    if ('notOlderThan' in semantics) {
      return { resourceVersion: version === '' ? semantics.notOlderThan : version, resourceVersionMatch: 'NotOlderThan' };
    }
    return version === '' ? { resourceVersion: semantics.exact, resourceVersionMatch: 'Exact' } : { resourceVersion: version };
  },

  /**
   * The version that a list in pages asks for, and the number of objects per page; `0` for one answer with everything.
   *
   * A size set by the caller, or `repeated` from the list before, always applies. Otherwise a list at a version is requested as a whole, from the server's cache,
   * unless the one before showed that there is none. With a limit, a server takes a version without a match for exactly that version, however old it is: a
   * watch from there may have expired, so that the same list would follow for ever. So the match is spelled out then.
   */
  asked(memory: Memory, context: Context, repeated?: number): Pick<ListingState, 'asked' | 'limit'> {
    const asked = lists.pagedVersion(memory, context);
    const atVersion = asked.resourceVersion !== '' && asked.resourceVersion !== '0';
    const usual = atVersion && asked.resourceVersionMatch === undefined && !memory.paginated ? 0 : defaults.pageSize;
    const limit = repeated ?? context.settings.pageSize ?? usual;
    return { asked: atVersion && limit > 0 ? { resourceVersionMatch: 'NotOlderThan', ...asked } : asked, limit };
  },

  /** The memory after a complete list: failures and doubts are cleared. */
  completed({ at, context }: Turn<unknown>, memory: Memory, version: string): Memory {
    const relistAt = at + context.settings.relistPeriodMs;
    return { ...memory, version, versionUnavailable: false, consistent: false, paginated: false, doubtedAt: undefined, relistAt };
  },
};

/** A list that failed because of its version is repeated at once without one; any other failure is retried later. */
function failed<T>({ memory, asked, limit, begun }: ListingState, error: unknown, turn: Turn<T>): Transition {
  const kind = failureKind(error);
  const ofVersion = (kind === 'expired' || kind === 'tooLargeResourceVersion') && asked.resourceVersion !== '';
  const failure = report.requestFailure('ERR_LIST', `Cannot list ${turn.context.source.resource}`, error);
  // A list that breaks off is not repeated as soon as one that never began: it may be large.
  const broken = begun ? { ...failure, lost: false } : failure;
  if (!ofVersion) return report.retryLater(turn, memory, broken, { type: 'list', reason: 'error' });
  const reported = report.failure(turn, { ...memory, versionUnavailable: true }, failure);
  return { type: 'begin', memory: reported, next: { type: 'list', reason: 'expired', plain: true, limit } };
}

function ended<T>({ memory, asked }: ListingState, resourceVersion: string, paginated: boolean, turn: Turn<T>): Transition {
  const exact = asked.resourceVersionMatch === 'Exact' && resourceVersion !== asked.resourceVersion;
  const what = `Listed ${turn.context.source.resource} at version ${resourceVersion}, although version ${asked.resourceVersion} was asked for`;
  const reported = exact ? report.failure(turn, memory, { code: 'ERR_LIST', what }) : memory;
  // The most recent state always comes in pages. Any other list is whole where it comes from the cache, unless the cache takes limits.
  const paged = paginated && asked.resourceVersion !== '';
  report.ready(turn, resourceVersion);
  return { type: 'begin', memory: { ...lists.completed(turn, reported, resourceVersion), paginated: paged }, next: { type: 'watch' } };
}

/** The step from a list in pages. @internal */
export function listing<T>(state: ListingState, happening: Happening<T>, turn: Turn<T>): Transition {
  switch (happening.type) {
    case 'items':
      report.page(turn, happening.items);
      return state.begun ? state : { ...state, begun: true };
    case 'restart': {
      const what = `Cannot list ${turn.context.source.resource} to the end`;
      const memory = report.failure(turn, state.memory, { code: 'ERR_LIST', what, cause: happening.error });
      report.init(turn, 'expired', memory);
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
