import { type ReactElement, useEffect, useState } from 'react';
import { merge } from 'rxjs';
import { useCollection } from '@rx-informer/views/react';
import { deployments, pods } from './sources.js';

/** Whether the displayed data is live, and why not. */
export function LinkState(): ReactElement {
  const [, , error, state] = useCollection(pods, { select: ({ size }) => size > 0 });
  const words = { loading: 'loading', restored: 'restored', live: 'live', stale: 'offline', failing: 'offline', forbidden: 'no rights' }[
    state
  ];
  return (
    <span className="state" data-state={state} title={error?.message ?? ''} role="status">
      {words}
    </span>
  );
}

/** Warns that the displayed data may be out of date. */
export function OfflineNotice(): ReactElement | null {
  const [, , error, state] = useCollection(pods, { select: ({ size }) => size > 0 });
  if (state !== 'stale') return null;
  return (
    <p className="notice offline" role="alert">
      Not connected: what you see is how it was. It is tried again. <small>{error?.message}</small>
    </p>
  );
}

/** Names the data that disappeared because a permission was revoked. */
export function RevokedNotice(): ReactElement | null {
  const [gone, setGone] = useState<ReadonlyMap<string, number>>(new Map());
  useEffect(() => {
    const following = merge(pods.resource$, deployments.resource$).subscribe({
      next: (event) => {
        if (event.type !== 'deleted' || event.reason !== 'revoked') return;
        const namespace = event.object.metadata?.namespace ?? '';
        setGone((all) => new Map(all).set(namespace, (all.get(namespace) ?? 0) + 1));
      },
      error: () => undefined,
    });
    return () => following.unsubscribe();
  }, []);
  if (gone.size === 0) return null;
  return (
    <p className="notice revoked" role="alert">
      {[...gone]
        .map(([namespace, count]) => `You may not read ${namespace} any more: ${count.toLocaleString('en')} objects were taken away.`)
        .join(' ')}{' '}
      <button type="button" onClick={() => setGone(new Map())}>
        Dismiss
      </button>
    </p>
  );
}
