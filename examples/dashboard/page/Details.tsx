import { type ReactElement, useEffect, useRef, useState } from 'react';
import type { IndexSnapshot, KubernetesObject } from 'rx-informer';
import { useRelay } from '@rx-informer/relay/react';

type Difference = readonly [path: string, before: string | undefined, after: string | undefined];

const leavesOf = (value: unknown, path: readonly string[] = []): readonly (readonly [path: string, text: string])[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, part]) => leavesOf(part, [...path, name]))
    : [[path.join('.'), String(value)]];

/** The fields in which two versions of an object differ. */
function differencesOf(before: KubernetesObject, after: KubernetesObject): readonly Difference[] {
  const [old, now] = [new Map(leavesOf(before)), new Map(leavesOf(after))];
  const paths = [...new Set([...old.keys(), ...now.keys()])];
  return paths.filter((path) => old.get(path) !== now.get(path)).map((path) => [path, old.get(path), now.get(path)]);
}

/** One complete object, and its changes while it is open. */
export function Details({ kind, id, onClose }: { kind: string; id: string; onClose: () => void }): ReactElement {
  const [namespace, name] = id.split('/');
  const select = (all: IndexSnapshot<KubernetesObject>) => all.get(id);
  const { data: object, ...result } = useRelay({ kind, namespace, name, fields: 'all', select });
  const [steps, setSteps] = useState<readonly Difference[][]>([]);
  const before = useRef<KubernetesObject>(undefined);
  useEffect(() => {
    const what = before.current && object ? differencesOf(before.current, object) : [];
    before.current = object;
    const changed = what.filter(([path]) => path !== 'metadata.resourceVersion');
    if (changed.length > 0) setSteps((all) => [changed, ...all].slice(0, 50));
  }, [object]);
  const missing = result.loaded
    ? 'It is gone.'
    : result.forbidden
      ? 'You may not read it any more.'
      : (result.error?.message ?? 'Loading…');
  return (
    <aside aria-label="Details">
      <header>
        <h2>{id}</h2>
        <button onClick={onClose}>Close</button>
      </header>
      {object === undefined && <p className="empty">{missing}</p>}
      <h3>Differences since it was opened: {steps.length === 0 && 'none so far'}</h3>
      <ol reversed aria-live="polite">
        {steps.map((what, at) => (
          <li key={steps.length - at}>
            {what.map(([path, old, now]) => (
              <div key={path}>
                {path}: <del>{old}</del> <ins>{now}</ins>
              </div>
            ))}
          </li>
        ))}
      </ol>
      {object !== undefined && <pre tabIndex={0}>{JSON.stringify(object, undefined, 2)}</pre>}
    </aside>
  );
}
