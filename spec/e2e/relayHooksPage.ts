// What a server renders and its page takes over: the same component on both sides.
import { createElement, type ReactElement } from 'react';
import type { KubernetesObject } from 'rx-informer';
import type { RelayState } from '@rx-informer/relay/client';
import { RelayProvider, useRelay } from '@rx-informer/relay/react';

/** What the spec reads of the page. */
interface Shown {
  shown?: unknown;
}

function Names(): ReactElement {
  const pods = useRelay<KubernetesObject, string>({ kind: 'pods', select: (all) => [...all.keys()].sort().join(' ') });
  const { state, nextAttemptAt } = pods.collection.health();
  (globalThis as Shown).shown = { state, nextAttemptAt, now: performance.timeOrigin + performance.now() };
  return createElement(
    'p',
    { 'data-state': pods.loaded ? (pods.stale ? (pods.offline ? 'offline' : 'rendered') : 'live') : 'loading' },
    pods.data ?? '',
  );
}

/** The page over a relay, with what the server has loaded. */
export function app(url: string, state: RelayState): ReactElement {
  return createElement(RelayProvider, { url, state }, createElement(Names));
}
