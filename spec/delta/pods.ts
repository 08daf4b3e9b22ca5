import type { KubernetesObject, ObjectMeta } from '../../src/api/kubernetesObject.js';
import type { ResourceEvent, SourceEvent } from '../../src/api/events.js';

/** An object small enough to read in a failing expectation. */
export interface Pod extends KubernetesObject {
  readonly metadata: ObjectMeta & { readonly namespace: string; readonly name: string };
  readonly value?: string;
  readonly spec?: { readonly size: number };
  readonly status?: { readonly phase: string };
}

export function pod(name: string, resourceVersion: string, rest: { uid?: string; namespace?: string; value?: string } = {}): Pod {
  const { uid = `uid-${name}`, namespace = 'default', value } = rest;
  return { metadata: { namespace, name, uid, resourceVersion }, ...(value !== undefined && { value }) };
}

export const init = (scope = '', previousResourceVersion = ''): SourceEvent<Pod> => ({
  type: 'init',
  scope,
  reason: 'first',
  previousResourceVersion,
});
export const page = (items: readonly Pod[], scope = ''): SourceEvent<Pod> => ({ type: 'page', scope, items });
export const ready = (resourceVersion: string, scope = ''): SourceEvent<Pod> => ({ type: 'ready', scope, resourceVersion });
export const bookmark = (resourceVersion: string, scope = ''): SourceEvent<Pod> => ({ type: 'bookmark', scope, resourceVersion });

type Change = (object: Pod, scope?: string) => SourceEvent<Pod>;

const change =
  (type: 'added' | 'modified' | 'deleted'): Change =>
  (object, scope = '') => ({ type, scope, object, resourceVersion: object.metadata.resourceVersion ?? '' });

export const added: Change = change('added');
export const modified: Change = change('modified');
export const deleted: Change = change('deleted');

/** A whole list: `init`, one page, `ready`. */
export const list = (resourceVersion: string, items: readonly Pod[], scope = ''): SourceEvent<Pod>[] => [
  init(scope),
  page(items, scope),
  ready(resourceVersion, scope),
];

/** An event in a few characters: `+` added, `~` updated, `-` deleted, then key and version, then the flags that are set. */
export function brief(event: ResourceEvent<Pod>): string {
  if (event.type === 'synced') return `synced@${event.resourceVersion}`;
  const sign = { added: '+', updated: '~', deleted: '-' }[event.type];
  const flags = Object.entries(event).flatMap(([flag, value]) => (value === true ? [flag] : []));
  const old = event.type === 'updated' ? `<${event.oldObject.metadata.resourceVersion ?? ''}` : '';
  return [`${sign}${event.key}@${event.object.metadata.resourceVersion ?? ''}${old}`, ...flags].join(' ');
}

/** Somebody who follows events, and notices what does not fit. */
export interface StrictFollower<T> {
  readonly known: ReadonlyMap<string, T>;
  /** What did not fit: must stay empty. (To throw would not do: RxJS reports what a subscriber throws on a later task.) */
  readonly misfits: readonly string[];
  readonly syncs: () => number;
  readonly follow: (event: ResourceEvent<T>) => void;
}

/**
 * Follows events as strictly as possible: whatever is told twice, left out or out of order does not fit what is known already.
 */
export function createStrictFollower<T>(): StrictFollower<T> {
  const known = new Map<string, T>();
  const misfits: string[] = [];
  let syncs = 0;
  return {
    known,
    misfits,
    syncs: () => syncs,
    follow: (event: ResourceEvent<T>): void => {
      if (event.type === 'synced') {
        syncs += 1;
        return;
      }
      if (event.type === 'added' ? known.has(event.key) : !known.has(event.key)) misfits.push(`${event.type} ${event.key}`);
      if (event.type === 'updated' && known.get(event.key) !== event.oldObject) misfits.push(`the old ${event.key} is another one`);
      if (event.type === 'deleted') known.delete(event.key);
      else known.set(event.key, event.object);
    },
  };
}
