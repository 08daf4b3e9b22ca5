import { type ReactElement, useEffect, useMemo, useRef, useState } from 'react';
import type { KubernetesObject } from 'rx-informer';
import { useObject } from '@rx-informer/views/react';
import { type Difference, differencesOf } from './differences.js';
import { follow } from './sources.js';

interface Step {
  readonly at: string;
  readonly what: readonly Difference[];
}

const maxSteps = 50;
const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false });

/** One complete object, and its changes while it is open. */
export function Details({ kind, id, onClose }: { readonly kind: string; readonly id: string; readonly onClose: () => void }): ReactElement {
  const source = useMemo(() => {
    const [namespace, name] = id.split('/') as [string, string];
    return follow<KubernetesObject>({ kind, namespace, name, fields: 'all' });
  }, [kind, id]);
  const [object, loaded, error, state] = useObject(source, id);
  const [steps, setSteps] = useState<readonly Step[]>([]);
  const before = useRef<{ readonly of: unknown; readonly object: KubernetesObject | undefined }>({ of: source, object: undefined });
  useEffect(() => {
    const last = before.current;
    before.current = { of: source, object };
    if (last.of !== source) setSteps([]);
    else if (last.object !== undefined && object !== undefined) {
      const what = differencesOf(last.object, object).filter(({ path }) => path !== 'metadata.resourceVersion');
      if (what.length > 0) setSteps((all) => [{ at: clock.format(new Date()), what }, ...all].slice(0, maxSteps));
    }
  }, [source, object]);
  return (
    <aside className="details" aria-label="Details">
      <header>
        <h2>{id}</h2>
        <button type="button" onClick={onClose} aria-label="Close details">
          ✕
        </button>
      </header>
      {!loaded && <p className="empty">{state === 'forbidden' ? 'You may not read it any more.' : (error?.message ?? 'Loading…')}</p>}
      {loaded && object === undefined && <p className="empty">It is gone.</p>}
      <h3>Differences since it was opened</h3>
      {steps.length === 0 && <p className="empty">None so far.</p>}
      <ol className="steps" aria-live="polite">
        {steps.map(({ at, what }, index) => (
          <li key={steps.length - index}>
            <time>{at}</time>
            <dl>
              {what.map((difference) => (
                <div key={difference.path}>
                  <dt>{difference.path}</dt>
                  <dd>
                    {difference.before !== '' && <del>{difference.before}</del>} {difference.after !== '' && <ins>{difference.after}</ins>}
                  </dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ol>
      {object !== undefined && (
        <>
          <h3>The object</h3>
          <pre tabIndex={0}>{JSON.stringify(object, undefined, 2)}</pre>
        </>
      )}
    </aside>
  );
}
