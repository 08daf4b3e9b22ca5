import fc from 'fast-check';
import type { SourceEvent } from '../../src/api/events.js';
import { added, bookmark, deleted, init, modified, page, type Pod, pod, ready } from './pods.js';

const names = ['a', 'b', 'c'];
/** Where the objects of histories are. */
export const namespaces: string[] = ['n', 'm'];
/** The owner of some of them. */
export const owner: Pod = pod('owner', '1');

interface Write {
  readonly type: 'write' | 'remove' | 'recreate';
  readonly namespace: string;
  readonly name: string;
  /** What becomes of the object: its labels, its owner, its spec and its status. */
  readonly state?: number;
  /** Whether the source does not notice. */
  readonly lost: boolean;
}

interface Listing {
  readonly type: 'list';
  readonly namespace: string;
  readonly pageSize: number;
  readonly streamed: boolean;
  /** After how many parts of the list it is given up, and begun anew. */
  readonly cut: number | undefined;
}

/** A namespace comes, at first without being listed if `listed` is false, or goes: for a source of one scope per namespace. */
interface Move {
  readonly type: 'enter' | 'leave';
  readonly namespace: string;
  readonly listed: boolean;
}

/** What happens to a server, and what its source makes of it. */
export type HistoryStep = Write | Listing | Move | { readonly type: 'bookmark'; readonly namespace: string };

const namespace = fc.constantFrom(...namespaces);
const change = fc.record({
  type: fc.constantFrom<'write' | 'remove' | 'recreate'>('write', 'write', 'remove', 'recreate'),
  namespace,
  name: fc.constantFrom(...names),
  state: fc.nat(23),
  lost: fc.boolean(),
});
const listing = fc.record({
  type: fc.constant<'list'>('list'),
  namespace,
  pageSize: fc.integer({ min: 1, max: 3 }),
  streamed: fc.boolean(),
  cut: fc.option(fc.nat({ max: 3 }), { nil: undefined }),
});
const happening: fc.WeightedArbitrary<HistoryStep>[] = [
  { weight: 6, arbitrary: change },
  { weight: 2, arbitrary: listing },
  { weight: 1, arbitrary: fc.record({ type: fc.constant<'bookmark'>('bookmark'), namespace }) },
];
/** Random histories. */
export const steps: fc.Arbitrary<HistoryStep[]> = fc.array(fc.oneof(...happening), { maxLength: 40 });

/** Steps of histories in which namespaces come and go. */
export const stepsOfNamespaces: fc.Arbitrary<HistoryStep> = fc.oneof(...happening, {
  weight: 1,
  arbitrary: fc.record({ type: fc.constantFrom<'enter' | 'leave'>('enter', 'leave'), namespace, listed: fc.boolean() }),
});

/** Everything that filters look at, of a state. */
function partsOf(state: number): Pick<Pod, 'spec' | 'status'> & { readonly labels: Record<string, string>; readonly owned: boolean } {
  return {
    labels: { app: state % 2 === 0 ? 'web' : 'api' },
    owned: (state >> 1) % 2 === 0,
    status: { phase: ['Pending', 'Running', 'Failed'][(state >> 2) % 3] ?? '' },
    spec: { size: Math.floor(state / 12) },
  };
}

const isMove = (step: HistoryStep): step is Move => step.type === 'enter' || step.type === 'leave';

/** A server, and a source that follows it. One scope per namespace, or one for everything. */
export class History {
  readonly objects: Map<string, Pod> = new Map<string, Pod>();
  /** The scopes that count: a live set, as `scanToIndex` takes it. */
  readonly scopes: Set<string>;
  private readonly scoped: boolean;
  /** Of these, a list has been complete. */
  private readonly listed = new Set<string>();
  private version = 10;
  private uids = 0;

  constructor(scoped: boolean) {
    this.scoped = scoped;
    this.scopes = new Set(scoped ? namespaces : ['']);
  }

  /** What the source emits. */
  apply(step: HistoryStep): SourceEvent<Pod>[] {
    if (isMove(step)) return this.scoped ? this.move(step) : [];
    const scope = this.scopeOf(step.namespace);
    const isFollowed = this.scopes.has(scope);
    if (step.type === 'list') return isFollowed ? this.relist(step.namespace, step) : [];
    const events = step.type === 'bookmark' ? [bookmark(String(this.version), scope)] : this.change(step);
    return isFollowed && this.listed.has(scope) ? events : [];
  }

  /** Complete lists of everything that counts. */
  relistAll(): SourceEvent<Pod>[] {
    const places = this.scoped ? namespaces.filter((place) => this.scopes.has(place)) : namespaces.slice(0, 1);
    return places.flatMap((place) => this.relist(place, { pageSize: 3, streamed: false, cut: undefined }));
  }

  /** What of the objects is in the scopes that count. */
  visible(): ReadonlyMap<string, Pod> {
    return new Map([...this.objects].filter(([, { metadata }]) => this.scopes.has(this.scopeOf(metadata.namespace))));
  }

  private scopeOf(place: string): string {
    return this.scoped ? place : '';
  }

  private next(): string {
    this.version += 1;
    return String(this.version);
  }

  private change({ type, namespace: place, name, state, lost }: Write): SourceEvent<Pod>[] {
    const key = `${place}/${name}`;
    const events = type === 'write' ? [] : this.remove(key, place);
    if (type !== 'remove') events.push(this.write(key, place, name, state));
    return lost ? [] : events;
  }

  private write(key: string, place: string, name: string, state: number | undefined): SourceEvent<Pod> {
    const before = this.objects.get(key);
    if (before === undefined) this.uids += 1;
    const resourceVersion = this.next();
    const plain = pod(name, resourceVersion, {
      namespace: place,
      uid: before?.metadata.uid ?? `uid-${this.uids}`,
      value: resourceVersion,
    });
    const object = state === undefined ? plain : withState(plain, state, before);
    this.objects.set(key, object);
    return (before === undefined ? added : modified)(object, this.scopeOf(place));
  }

  private remove(key: string, place: string): SourceEvent<Pod>[] {
    const before = this.objects.get(key);
    if (before === undefined) return [];
    this.objects.delete(key);
    return [deleted({ ...before, metadata: { ...before.metadata, resourceVersion: this.next() } }, this.scopeOf(place))];
  }

  private relist(place: string, { pageSize, streamed, cut }: Pick<Listing, 'pageSize' | 'streamed' | 'cut'>): SourceEvent<Pod>[] {
    const scope = this.scopeOf(place);
    const items = [...this.objects.values()].filter(({ metadata }) => !this.scoped || metadata.namespace === place);
    const whole: SourceEvent<Pod>[] = [];
    for (let at = 0; at < items.length; at += pageSize) {
      const some = items.slice(at, at + pageSize);
      if (streamed) whole.push(...some.map((object) => added(object, scope)));
      else whole.push(page(some, scope));
    }
    this.listed.add(scope);
    if (cut === undefined) return [init(scope), ...whole, ready(String(this.version), scope)];
    // Without its end, a list is followed by another one.
    return [init(scope), ...whole.slice(0, cut), ...this.relist(place, { pageSize, streamed: false, cut: undefined })];
  }

  private move({ type, namespace: place, listed: isListed }: Move): SourceEvent<Pod>[] {
    if (this.scopes.has(place) === (type === 'enter')) return [];
    if (type === 'enter') {
      this.scopes.add(place);
      return isListed ? this.relist(place, { pageSize: 3, streamed: false, cut: undefined }) : [];
    }
    this.scopes.delete(place);
    this.listed.delete(place);
    return [init(place), ready('', place)];
  }
}

function withState(object: Pod, state: number, before: Pod | undefined): Pod {
  const { labels, owned, spec, status } = partsOf(state);
  const sizeChanges = before?.spec?.size !== spec?.size;
  const ownerReferences = owned ? [{ apiVersion: 'v1', kind: 'Owner', name: 'owner', uid: owner.metadata.uid ?? '' }] : [];
  const generation = (before?.metadata.generation ?? 0) + (sizeChanges ? 1 : 0);
  return {
    ...object,
    metadata: { ...object.metadata, labels, ownerReferences, generation },
    ...(spec && { spec }),
    ...(status && { status }),
  };
}

/** What a history amounts to. */
export interface Played {
  readonly events: SourceEvent<Pod>[];
  readonly objects: ReadonlyMap<string, Pod>;
  /** Adds complete lists to the events. */
  readonly relistAll: () => void;
}

/** The source events of a history that begins with complete lists, and in what the server ends up. */
export function play(happened: readonly HistoryStep[], scoped: boolean): Played {
  const history = new History(scoped);
  const events = history.relistAll();
  for (const step of happened) events.push(...history.apply(step));
  return { events, objects: history.objects, relistAll: () => events.push(...history.relistAll()) };
}
