import fc from 'fast-check';
import type { SourceEvent } from '../../src/api/events/sourceEvent.js';
import { added, bookmark, deleted, init, modified, page, type Pod, pod, ready } from './pods.js';

const names = ['a', 'b', 'c'];
/** Where the objects of histories are. */
export const namespaces: string[] = ['n', 'm'];

/** What happens to a server, and what its source makes of it. */
type Step =
  | { readonly type: 'write' | 'remove' | 'recreate'; readonly namespace: string; readonly name: string; readonly lost: boolean }
  | {
      readonly type: 'list';
      readonly namespace: string;
      readonly pageSize: number;
      readonly streamed: boolean;
      readonly cut: number | undefined;
    }
  | { readonly type: 'bookmark'; readonly namespace: string };

const namespace = fc.constantFrom(...namespaces);
const change = fc.record({
  type: fc.constantFrom<'write' | 'remove' | 'recreate'>('write', 'write', 'remove', 'recreate'),
  namespace,
  name: fc.constantFrom(...names),
  lost: fc.boolean(),
});
const listing = fc.record({
  type: fc.constant<'list'>('list'),
  namespace,
  pageSize: fc.integer({ min: 1, max: 3 }),
  streamed: fc.boolean(),
  cut: fc.option(fc.nat({ max: 3 }), { nil: undefined }),
});
/** Random histories. */
export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: change },
    { weight: 2, arbitrary: listing },
    { weight: 1, arbitrary: fc.record({ type: fc.constant<'bookmark'>('bookmark'), namespace }) },
  ),
  { maxLength: 40 },
);

/** What a history amounts to. */
export interface Played {
  readonly events: SourceEvent<Pod>[];
  readonly objects: ReadonlyMap<string, Pod>;
  /** Adds complete lists to the events. */
  readonly relistAll: () => void;
}

/** The source events of a history, and in what the server ends up. One scope per namespace, or one for everything. */
export function play(history: readonly Step[], scoped: boolean): Played {
  const events: SourceEvent<Pod>[] = [];
  const objects = new Map<string, Pod>();
  let version = 10;
  let uids = 0;
  const scopeOf = (name: string) => (scoped ? name : '');
  const next = () => String((version += 1));

  const write = (key: string, place: string, name: string, lost: boolean, fresh: boolean) => {
    const before = fresh ? undefined : objects.get(key);
    if (before === undefined) uids += 1;
    const resourceVersion = next();
    const object = pod(name, resourceVersion, { namespace: place, uid: before?.metadata.uid ?? `uid-${uids}`, value: resourceVersion });
    objects.set(key, object);
    if (!lost) events.push((before === undefined ? added : modified)(object, scopeOf(place)));
  };
  const remove = (key: string, place: string, lost: boolean) => {
    const before = objects.get(key);
    if (before === undefined) return;
    objects.delete(key);
    const resourceVersion = next();
    if (!lost) events.push(deleted({ ...before, metadata: { ...before.metadata, resourceVersion } }, scopeOf(place)));
  };
  const relist = (place: string, { pageSize, streamed, cut }: Pick<Extract<Step, { type: 'list' }>, 'pageSize' | 'streamed' | 'cut'>) => {
    const scope = scopeOf(place);
    const items = [...objects.values()].filter(({ metadata }) => !scoped || metadata.namespace === place);
    const whole: SourceEvent<Pod>[] = [];
    for (let at = 0; at < items.length; at += pageSize) {
      const some = items.slice(at, at + pageSize);
      if (streamed) whole.push(...some.map((object) => added(object, scope)));
      else whole.push(page(some, scope));
    }
    events.push(init(scope), ...(cut === undefined ? [...whole, ready(String(version), scope)] : whole.slice(0, cut)));
    // Without its end, a list is followed by another one.
    if (cut !== undefined) relist(place, { pageSize, streamed: false, cut: undefined });
  };

  const relistAll = (): void => {
    for (const place of scoped ? namespaces : namespaces.slice(0, 1)) relist(place, { pageSize: 3, streamed: false, cut: undefined });
  };
  relistAll();
  for (const step of history) {
    if (step.type === 'list') {
      relist(step.namespace, step);
    } else if (step.type === 'bookmark') {
      events.push(bookmark(String(version), scopeOf(step.namespace)));
    } else {
      const key = `${step.namespace}/${step.name}`;
      if (step.type !== 'write') remove(key, step.namespace, step.lost);
      if (step.type !== 'remove') write(key, step.namespace, step.name, step.lost, step.type === 'recreate');
    }
  }
  return { events, objects, relistAll };
}
