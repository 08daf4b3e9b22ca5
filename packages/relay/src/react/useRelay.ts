import { useSyncExternalStore } from 'react';
import { aBoolean, checkOptions } from 'rx-informer/internal';
import type { Collection, IndexSnapshot } from 'rx-informer';
import type { HookOptions } from '@rx-informer/views/internal';
import { type CollectionState, useCollection } from '@rx-informer/views/react';
import type { RelayFields, RelayWindow } from '../wire/frames.js';
import { useRelayClient } from './relayProvider.js';

/** What a component asks a relay for. */
export interface UseRelayOptions<T, S> extends Omit<HookOptions<IndexSnapshot<T>, S>, 'suspense'> {
  /** The name of a kind at the relay. Give either `kind` or `view`. */
  readonly kind?: string | undefined;
  /** The name of a view at the relay. */
  readonly view?: string | undefined;
  /** One namespace. @defaultValue all that the user may read */
  readonly namespace?: string | undefined;
  /** Only objects with these labels, as text of kubectl's `-l`. @defaultValue all */
  readonly labelSelector?: string | undefined;
  /** The name of one object of a kind. */
  readonly name?: string | undefined;
  /** The fields of each object. @defaultValue `'metadata'` */
  readonly fields?: RelayFields | undefined;
  /** A part of an order, kept up at the relay. @defaultValue all objects */
  readonly window?: RelayWindow | undefined;
  /** Throws an error while rendering where there is nothing to show, for an error boundary. @defaultValue `false` */
  readonly throwErrors?: boolean | undefined;
}

interface Common<T> {
  /** The informer over the relay, with the events; the component keeps it running. */
  readonly collection: Collection<T>;
  /** How many objects the order of `window` has; undefined before that is known, and without a window. */
  readonly total: number | undefined;
  /** Connects again at once. */
  readonly retry: () => void;
}

interface NotLoaded<T> extends Common<T> {
  readonly loaded: false;
  readonly data: undefined;
  readonly stale: false;
}

/** What a component gets: check one of its flags, and TypeScript knows the others. */
export type RelayResult<D, T = unknown> =
  /** Loaded and up to date. */
  | (Common<T> & {
      readonly loaded: true;
      readonly data: D;
      readonly forbidden: false;
      readonly offline: false;
      readonly stale: false;
      readonly error: undefined;
    })
  /** Loaded, but not updated at present: without a connection, or because the server has rendered it and the page does not follow yet. */
  | (Common<T> & {
      readonly loaded: true;
      readonly data: D;
      readonly forbidden: false;
      readonly offline: boolean;
      readonly stale: true;
      readonly error: Error | undefined;
    })
  /** Under way. */
  | (NotLoaded<T> & { readonly forbidden: false; readonly offline: false; readonly error: undefined })
  /** The user may not read it: do not show an empty list. */
  | (NotLoaded<T> & { readonly forbidden: true; readonly offline: false; readonly error: Error })
  /** It cannot be loaded at present. */
  | (NotLoaded<T> & { readonly forbidden: false; readonly offline: true; readonly error: Error });

/** What a server has rendered: a page that takes it over may know more by then. */
const noTotal = (): undefined => undefined;

function resultOf<S, T>(
  [data, , error, state]: CollectionState<S>,
  rendered: readonly [S] | undefined,
  common: Common<T>,
): RelayResult<S, T> {
  const none = { loaded: false, data: undefined, stale: false, ...common } as const;
  if (state === 'live') return { loaded: true, data: data, forbidden: false, offline: false, stale: false, error: undefined, ...common };
  if (state === 'forbidden') return { ...none, forbidden: true, offline: false, error: error as Error };
  // What is selected may be undefined.
  const shown = state === 'stale' ? ([data] as const) : rendered;
  if (shown) {
    return { loaded: true, data: shown[0], forbidden: false, offline: error !== undefined, stale: true, error, ...common };
  }
  if (state === 'failing') return { ...none, forbidden: false, offline: true, error: error ?? new Error('The relay has ended') };
  return { ...none, forbidden: false, offline: false, error: undefined };
}

/**
 * The objects of a kind, or the values of a view, of the relay of the nearest {@link RelayProvider}.
 *
 * All components that ask for the same share one copy, which is kept up for five minutes after the last of them has gone. The component is rendered again only when
 * the result changes; with `select`, only when the selected value does. What `loadRelay` has loaded on the server is shown at once, without a mismatch.
 *
 * @example
 * ```tsx
 * import { useRelay } from '@rx-informer/relay/react';
 *
 * function Pods() {
 *   const pods = useRelay({ kind: 'pods', select: (all) => [...all.keys()].sort() });
 *   if (pods.forbidden) return <p>You may not read pods</p>;
 *   if (!pods.loaded) return <p>{pods.offline ? pods.error.message : 'Loading'}</p>;
 *   return <ul className={pods.stale ? 'stale' : ''}>{pods.data.map((name) => <li key={name}>{name}</li>)}</ul>;
 * }
 * ```
 *
 * @throws TypeError when an option is wrong, or without a provider.
 */
export function useRelay<T, S = IndexSnapshot<T>>({
  select,
  equals,
  throwErrors = false,
  ...scope
}: UseRelayOptions<T, S>): RelayResult<S, T> {
  checkOptions<{ readonly throwErrors?: boolean | undefined }>('useRelay', { throwErrors }, { throwErrors: aBoolean });
  const client = useRelayClient();
  const { collection, loaded, total } = client.entryOf(scope);
  const followed = collection as Collection<T>;
  const state = useCollection<T, S>(followed, { select, equals });
  const isRendered = state[3] === 'loading' || state[3] === 'failing' || state[3] === 'restored';
  const all = loaded as IndexSnapshot<T> | undefined;
  const rendered = isRendered && all ? ([select ? select(all) : (all as unknown as S)] as const) : undefined;
  const result = resultOf(state, rendered, {
    collection: followed,
    total: useSyncExternalStore(total.subscribe, total.get, noTotal),
    retry: () => client.retry(),
  });
  if (throwErrors && !result.loaded && result.error !== undefined) throw result.error;
  return result;
}
