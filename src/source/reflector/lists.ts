import { defaults } from '../../api/defaults.js';
import type { InformerErrorCode } from '../../api/errors/informerError.js';
import type { ListSemantics } from '../pages/listSemantics.js';
import type { FailureKind } from './failureKind.js';
import type { Context, Memory, RelistVersion, Turn } from './state.js';

const errorCodes: Partial<Record<FailureKind, InformerErrorCode>> = {
  credentials: 'ERR_AUTH',
  unauthorized: 'ERR_AUTH',
  notServed: 'ERR_NOT_SERVED',
  decode: 'ERR_DECODE',
};

/** How fresh the next list has to be. */
function semanticsOf(memory: Memory, { settings }: Context): ListSemantics {
  return memory.consistent ? 'mostRecent' : settings.listSemantics;
}

/**
 * How the next list is asked for, and what is remembered of one.
 *
 * @internal
 */
export const lists = {
  /** Whether it is streamed over a watch. An exact version, which only the first list can be asked for, cannot be streamed. */
  streams(memory: Memory, context: Context, at: number): boolean {
    const { listStrategy } = context.settings;
    if (listStrategy !== 'auto') return listStrategy === 'watchList';
    const semantics = semanticsOf(memory, context);
    const exact = typeof semantics === 'object' && 'exact' in semantics && memory.version === '';
    return !exact && context.source.watchList !== false && (context.refusals.get(context.source.resource) ?? -Infinity) <= at;
  },

  /** The version that a streamed list asks to be at least as new as; `''` for the most recent state, also for the first one. */
  streamedVersion(memory: Memory, context: Context): string {
    const semantics = semanticsOf(memory, context);
    if (memory.versionUnavailable || semantics === 'mostRecent') return '';
    if (memory.version !== '') return memory.version;
    return typeof semantics === 'object' && 'notOlderThan' in semantics ? semantics.notOlderThan : '';
  },

  /** The version that a list in pages asks for: client-go's ladder `0`, the last version, `''`, unless another freshness is wanted. */
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
   * How many objects a page may have; `0` for one answer with everything.
   *
   * A caller's own size always counts. Otherwise pages are asked for where they cost no freshness: a limit turns "at least this version" into
   * "exactly this version" on the server, unless the match is spelled out, and then bypasses its cache.
   */
  pageSize({ resourceVersion, resourceVersionMatch }: RelistVersion, { paginated }: Memory, { settings }: Context): number {
    if (settings.pageSize !== undefined) return settings.pageSize;
    if (paginated || resourceVersionMatch !== undefined) return defaults.pageSize;
    return resourceVersion === '' || resourceVersion === '0' ? defaults.pageSize : 0;
  },

  /** What a list that failed is told as. */
  errorCode(kind: FailureKind): InformerErrorCode {
    return errorCodes[kind] ?? 'ERR_LIST';
  },

  /** What is remembered when a list is complete. Nothing has to be doubted any more. */
  completed({ at, context }: Turn<unknown>, memory: Memory, version: string): Memory {
    const { relistPeriodMs } = context.settings;
    const relistAt = relistPeriodMs > 0 ? at + relistPeriodMs : Infinity;
    return { ...memory, version, versionUnavailable: false, consistent: false, doubtedAt: undefined, relistAt };
  },
};
