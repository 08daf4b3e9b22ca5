import type { IndexSnapshot } from 'rx-informer';
import type { RelayShape } from '../log/relayTypes.js';
import type { FieldPath } from '../wire/fieldPath.js';
import { type RelayResult, useRelay, type UseRelayOptions } from './useRelay.js';

/** The options with the fields of the objects, of which a misspelt one does not compile. */
type Scoped<T, S, Name> = Omit<UseRelayOptions<T, S>, 'kind' | 'view' | 'fields'> &
  Name & { readonly fields?: 'metadata' | 'all' | readonly FieldPath<T>[] | undefined };

/** The hooks of a page with the types of its relay. */
export interface RelayHooks<App extends RelayShape> {
  readonly useRelay: {
    <K extends keyof App['kinds'] & string, S = IndexSnapshot<App['kinds'][K]>>(
      options: Scoped<App['kinds'][K], S, { readonly kind: K }>,
    ): RelayResult<S, App['kinds'][K]>;
    <V extends keyof App['views'] & string, S = IndexSnapshot<App['views'][V]>>(
      options: Scoped<App['views'][V], S, { readonly view: V }>,
    ): RelayResult<S, App['views'][V]>;
  };
}

/**
 * The hooks with the kinds and views of a relay, and the types of their objects: `App` is `RelayOf<typeof relay>` of the server, of which a page imports the type alone.
 *
 * @example
 * ```tsx
 * import type { V1Pod } from 'rx-informer';
 * import { relayHooks } from '@rx-informer/relay/react';
 *
 * interface App { kinds: { pods: V1Pod }; views: { ready: { count: number } } } // as RelayOf<typeof relay> of the server
 * const { useRelay } = relayHooks<App>();
 * const Phases = () => <p>{useRelay({ kind: 'pods', select: (all) => [...all.values()].map(({ status }) => status?.phase).join() }).data}</p>;
 * ```
 */
export function relayHooks<App extends RelayShape>(): RelayHooks<App> {
  return { useRelay: useRelay };
}
