import { filter, lastValueFrom, map, merge, switchMap, take, takeUntil, tap, timer } from 'rxjs';
import { schedulerOf } from 'rx-informer/internal';
import { type Scope, scopeId } from '../wire/frames.js';
import { relaySource, type RelaySourceOptions, type RelayState, stateOf, type Way } from './relaySource.js';
import type { ScopeState } from './scopeContent.js';

/**
 * Loads scopes of a relay once, as JSON: on a server that renders a page, which goes on from there with the option `state` of `relaySource`, or of `RelayProvider`.
 *
 * Nothing stays open. A scope that is not complete in time, or that the user may not see, is left out. Each call has a stream of its own, since `token` and `fetch` may
 * act for whoever is being served.
 *
 * @example
 * ```ts
 * import { loadRelay } from '@rx-informer/relay/client';
 *
 * const state = await loadRelay('http://localhost/relay', [{ kind: 'pods', fields: ['status.phase'] }], { timeoutMs: 2_000 });
 * console.log(Object.keys(state).length);
 * ```
 *
 * @throws TypeError when an option is wrong.
 */
export async function loadRelay(
  url: string | URL,
  scopes: readonly Scope[],
  { timeoutMs = 5_000, ...options }: Omit<RelaySourceOptions, keyof Scope | 'state'> & { readonly timeoutMs?: number | undefined } = {},
): Promise<RelayState> {
  const { token, credentials, fetch: ownFetch, scheduler, random } = options;
  // Sources with equal options share a stream: an object of its own makes them different.
  const way: Way = { url: String(url), token, credentials, fetch: ownFetch, scheduler, random, state: {} };
  const loads = scopes.map((scope) =>
    relaySource(url, { ...scope, ...options, state: way.state }).pipe(
      filter(({ type }) => type === 'ready'),
      // What the user may see of it, which the position needs, comes right after it.
      switchMap(() => timer(20, schedulerOf(scheduler))),
      take(1),
      map(() => scopeId(scope)),
    ),
  );
  const state: Record<string, ScopeState> = {};
  const loading = merge(...loads).pipe(
    tap((id) => {
      const loaded = stateOf(way, id);
      if (loaded !== undefined) state[id] = loaded;
    }),
    takeUntil(timer(timeoutMs, schedulerOf(scheduler))),
  );
  await lastValueFrom(loading, { defaultValue: undefined });
  return JSON.parse(JSON.stringify(state)) as RelayState;
}
