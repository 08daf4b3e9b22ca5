import { createContext, createElement, type ReactElement, type ReactNode, useContext, useMemo } from 'react';
import { checkOptions, rules } from 'rx-informer/internal';
import { RelayClient, type RelayClientOptions } from './relayClient.js';

/** Properties of {@link RelayProvider}. */
export interface RelayProviderProps extends RelayClientOptions {
  readonly children?: ReactNode;
}

const Context = createContext<RelayClient | undefined>(undefined);

/**
 * Says how the components below it reach their relay. They share one stream, and one copy of each scope.
 *
 * Another `token`, `fetch` or `state` makes another client with a stream of its own, since the user may be another. So a function or object is made once, for
 * example by `useCallback` or outside of the component.
 *
 * @example
 * ```tsx
 * import { RelayProvider } from '@rx-informer/relay/react';
 *
 * const App = () => <RelayProvider url="/relay">Pods</RelayProvider>;
 * ```
 *
 * @throws TypeError when a property is wrong.
 */
export function RelayProvider({ children, ...options }: RelayProviderProps): ReactElement {
  checkOptions<RelayClientOptions>('RelayProvider', options, {
    url: rules.required(rules.nonEmptyString),
    token: rules.either(rules.nonEmptyString, rules.function),
    credentials: rules.oneOf('same-origin', 'include', 'omit'),
    fetch: rules.function,
    keepMs: rules.durationOf({ infinite: true }),
    state: rules.object,
    scheduler: rules.scheduler,
  });
  const { url, token, credentials, fetch: ownFetch, keepMs, state, scheduler } = options;
  const client = useMemo(
    () => new RelayClient({ url, token, credentials, fetch: ownFetch, keepMs, state, scheduler }),
    [url, token, credentials, ownFetch, keepMs, state, scheduler],
  );
  return createElement(Context.Provider, { value: client }, children);
}

/** The client of the nearest provider. @throws TypeError when there is none. */
export function useRelayClient(): RelayClient {
  const client = useContext(Context);
  if (client === undefined) throw new TypeError('Expected `useRelay` below a `RelayProvider`, which has the address of the relay');
  return client;
}
