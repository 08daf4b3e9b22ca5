import { BehaviorSubject } from 'rxjs';
import type { Collection, KubernetesObject, ResourceChange } from 'rx-informer';
import { parseLabelSelector } from 'rx-informer/pipeline';
import { seededRandom } from '../../../src/testing/fakes/randomHistory.js';
import { derive } from '../src/derive.js';
import { deriveMany } from '../src/deriveMany.js';
import { groupObjects } from '../src/groupObjects.js';
import { mergeViews } from '../src/mergeViews.js';
import { none, type Read, type View } from '../src/view.js';
import { objectsByIndex } from '../src/objectsByIndex.js';
import { reduceObjects } from '../src/reduceObjects.js';
import { topObjects } from '../src/topObjects.js';

/** The common type of all collections of a random graph, so that any view can be built from any of them. */
export interface Item extends KubernetesObject {
  readonly n: number;
  /** Everything that the value was made of, in words. */
  readonly text: string;
}

export type Content = ReadonlyMap<string, Item>;

/** One view of a random graph, and its expected content. */
export interface Step {
  readonly kind: string;
  /** Positions of its inputs: the sources, then the views before it. */
  readonly inputs: readonly number[];
  build(inputs: readonly Collection<Item>[]): View<Item>;
  /** The expected content, computed from that of all collections, and from the previous one. */
  evaluate(contents: readonly Content[], before: Content): Content;
  /** Chooses other inputs, and returns how to hand them to the view. */
  readonly choose?: (random: Random) => () => void;
}

export type Random = (below: number) => number;

export function randomOf(seed: number): Random {
  const next = seededRandom(seed);
  return (below) => Math.floor(next() * below);
}

export const namespaces = ['one', 'two'] as const;
const names = ['a', 'b', 'c', 'd'] as const;
const apps = ['web', 'db', 'api'] as const;
const tiers = ['x', 'y'] as const;

export const indexers = { app: ({ metadata }: Item): readonly string[] => [metadata?.labels?.['app'] ?? 'no app'] };

let versions = 0;

export function randomKey(random: Random): string {
  return `${namespaces[random(2)] ?? ''}/${names[random(4)] ?? ''}`;
}

/** An object of which everything follows from its key and its version. */
export function itemOfVersion(namespace: string, name: string, version: number): Item {
  const random = randomOf(version);
  const labels = { app: apps[random(3)] ?? '', tier: tiers[random(2)] ?? '' };
  return { metadata: { namespace, name, labels }, n: random(20), text: `${namespace}/${name}@${String(version)}` };
}

export function randomItem(random: Random, key: string, uid?: string): Item {
  versions += 1;
  const [namespace = '', name = ''] = key.split('/');
  const labels = { app: apps[random(3)] ?? '', tier: tiers[random(2)] ?? '' };
  const metadata = { namespace, name, labels, resourceVersion: String(versions), ...(uid !== undefined && { uid }) };
  return { metadata, n: random(20), text: `${key}@${String(versions)}` };
}

/** A value under a key; its labels follow from its number, so that selectors have something to select. */
function itemOf(key: string, n: number, parts: readonly Item[]): Item {
  const slash = key.indexOf('/');
  const labels = { app: apps[n % 3] ?? '', tier: tiers[n % 2] ?? '' };
  const metadata = { namespace: slash < 0 ? '' : key.slice(0, slash), name: key.slice(slash + 1), labels };
  return { metadata, n, text: `${key}=${String(n)}[${parts.map(({ text }) => text).join(' ')}]` };
}

const keyOf = ({ metadata }: Item): string => `${metadata?.namespace === '' ? '' : `${metadata?.namespace ?? ''}/`}${metadata?.name ?? ''}`;
const sorted = (content: Content): [string, Item][] => [...content].sort(([a], [b]) => (a < b ? -1 : 1));
const sum = (items: readonly Item[]): number => items.reduce((total, { n }) => total + n, 0) % 1000;

/** The same reads, tracked or from plain contents. */
interface Reads {
  select(input: number, condition: { namespace?: string; labels?: string | typeof none; above?: number }): readonly Item[];
  get(input: number, key: string): Item | undefined;
  byApp(input: number, app: string): readonly Item[];
}

function trackedReads(read: Read, inputs: readonly Collection<Item>[]): Reads {
  const at = (input: number): Collection<Item> => inputs[input] as Collection<Item>;
  return {
    select: (input, { namespace, labels, above }) =>
      read(at(input), {
        ...(namespace !== undefined && { namespace }),
        ...(labels !== undefined && { labelSelector: labels }),
        ...(above !== undefined && { filter: ({ n }: Item) => n > above }),
      }),
    get: (input, key) => read.get(at(input), key),
    byApp: (input, app) => read.byIndex(at(input), 'app', app),
  };
}

function plainReads(contents: readonly Content[], inputs: readonly number[]): Reads {
  const at = (input: number): Content => contents[inputs[input] ?? -1] as Content;
  return {
    select: (input, { namespace, labels, above }) => {
      if (labels === none) return [];
      const selector = labels === undefined ? undefined : parseLabelSelector(labels);
      return sorted(at(input))
        .filter(([key]) => namespace === undefined || key.slice(0, Math.max(0, key.indexOf('/'))) === namespace)
        .map(([, item]) => item)
        .filter((item) => (selector?.matches(item.metadata?.labels) ?? true) && (above === undefined || item.n > above));
    },
    get: (input, key) => at(input).get(key),
    byApp: (input, app) =>
      sorted(at(input))
        .map(([, item]) => item)
        .filter((item) => indexers.app(item).includes(app)),
  };
}

type Work = (item: Item, reads: Reads) => Item | undefined;

const selectors = [
  (item: Item) => `app=${item.metadata?.labels?.['app'] ?? ''}`,
  (item: Item) => `app=${item.metadata?.labels?.['app'] ?? ''},tier=x`,
  () => 'tier in (x,y),app=web',
  () => 'app!=db',
  () => 'tier',
  (item: Item) => (item.n % 2 === 0 ? none : 'app in (web,db)'),
] as const;

/** A function that reads the second and third input in some way. */
function randomWork(random: Random, failing: boolean): Work {
  const selectorOf = selectors[random(selectors.length)] ?? selectors[0];
  const namespaced = random(2) === 0;
  const filtered = random(3) === 0;
  const conditional = random(2) === 0;
  const style = random(4);
  const drop = random(3) === 0;
  return (item, reads) => {
    const key = keyOf(item);
    const namespace = item.metadata?.namespace ?? '';
    const parts: Item[] = [item];
    if (style !== 1) {
      parts.push(
        ...reads.select(1, {
          ...(namespaced && { namespace }),
          labels: selectorOf(item),
          ...(filtered && { above: item.n }),
        }),
      );
    }
    if (style === 1) parts.push(...reads.select(1, namespaced ? { namespace } : filtered ? { above: 7 } : {}));
    if (!conditional || item.n > 9) {
      const found = reads.get(2, key);
      if (found !== undefined) parts.push(found);
      if (style === 3) parts.push(...reads.byApp(0, item.metadata?.labels?.['app'] ?? ''));
    }
    const n = sum(parts);
    if (failing && n % 11 === 3) throw new Error(`unlucky ${key}`);
    return drop && n % 5 === 0 ? undefined : itemOf(key, n, parts);
  };
}

function kept(content: Map<string, Item>, before: Content, key: string): void {
  const last = before.get(key);
  if (last !== undefined) content.set(key, last);
}

function deriveStep(random: Random, inputs: readonly number[], failing: boolean): Step {
  const work = randomWork(random, failing);
  return {
    kind: 'derive',
    inputs,
    build: (collections) =>
      derive(collections[0] as Collection<Item>, (item, read) => work(item, trackedReads(read, collections)), { indexers }),
    evaluate: (contents, before) => {
      const result = new Map<string, Item>();
      for (const [key, item] of contents[inputs[0] ?? -1] as Content) {
        try {
          const value = work(item, plainReads(contents, inputs));
          if (value !== undefined) result.set(key, value);
        } catch {
          kept(result, before, key);
        }
      }
      return result;
    },
  };
}

function manyStep(random: Random, inputs: readonly number[]): Step {
  const spread = 1 + random(3);
  const make = (item: Item, reads: Reads): Item[] =>
    // Several objects of two namespaces may claim one key.
    Array.from({ length: item.n % (spread + 1) }, (_, at) =>
      itemOf(`many/${item.metadata?.name ?? ''}${String(at)}`, item.n + at, [
        item,
        ...reads.select(1, { labels: `app=${apps[at % 3] ?? ''}` }),
      ]),
    );
  return {
    kind: 'deriveMany',
    inputs,
    build: (collections) =>
      deriveMany(collections[0] as Collection<Item>, (item, read) => make(item, trackedReads(read, collections)), {
        indexers,
        key: keyOf,
        logger: { warn: () => undefined },
      }),
    evaluate: (contents) => {
      const result = new Map<string, Item>();
      for (const [, item] of sorted(contents[inputs[0] ?? -1] as Content)) {
        for (const value of make(item, plainReads(contents, inputs))) if (!result.has(keyOf(value))) result.set(keyOf(value), value);
      }
      return result;
    },
  };
}

function groupStep(random: Random, inputs: readonly number[]): Step {
  const several = random(2) === 0;
  const groupsOf = ({ metadata, n }: Item): string | string[] | undefined => {
    const app = metadata?.labels?.['app'] ?? 'none';
    return several ? [app, `n${String(n % 3)}`] : n % 4 === 0 ? undefined : app;
  };
  const valueOf = (key: string, objects: readonly Item[]): Item => itemOf(`g/${key}`, sum(objects), objects);
  return {
    kind: 'groupObjects',
    inputs,
    build: (collections) =>
      derive(groupObjects(collections[0] as Collection<Item>, groupsOf), ({ key, objects }) => valueOf(key, objects), { indexers }),
    evaluate: (contents) => {
      const groups = new Map<string, Item[]>();
      for (const [, item] of sorted(contents[inputs[0] ?? -1] as Content)) {
        for (const group of [groupsOf(item) ?? []].flat()) groups.set(group, [...(groups.get(group) ?? []), item]);
      }
      return new Map([...groups].map(([key, items]) => [key, valueOf(key, items)]));
    },
  };
}

function mergeStep(random: Random, inputs: readonly number[]): Step {
  let chosen = [...new Set(inputs)];
  let collections: readonly Collection<Item>[] = [];
  const listOf = (): readonly Collection<Item>[] => chosen.map((input) => collections[inputs.indexOf(input)] as Collection<Item>);
  const lists = random(2) === 0 ? new BehaviorSubject<readonly Collection<Item>[]>([]) : undefined;
  const resolve =
    random(2) === 0 ? undefined : ([first, ...others]: readonly [Item, ...Item[]], key: string) => itemOf(key, first.n, [first, ...others]);
  return {
    kind: lists === undefined ? 'mergeViews' : 'mergeViews of lists',
    inputs,
    build: (built) => {
      collections = built;
      lists?.next(listOf());
      return mergeViews(lists ?? listOf(), { resolve, indexers });
    },
    evaluate: (contents) => {
      const found = new Map<string, Item[]>();
      for (const input of chosen) for (const [key, item] of contents[input] as Content) found.set(key, [...(found.get(key) ?? []), item]);
      return new Map(
        [...found].map(([key, items]) => [
          key,
          items.length > 1 && resolve !== undefined ? resolve(items as [Item, ...Item[]], key) : (items[0] as Item),
        ]),
      );
    },
    ...(lists !== undefined && {
      choose: (next: Random) => {
        chosen = [...new Set(inputs)].filter(() => next(3) > 0).sort(() => next(3) - 1);
        return () => lists.next(listOf());
      },
    }),
  };
}

function reduceStep(random: Random, inputs: readonly number[]): Step {
  const grouped = random(2) === 0;
  const withRemove = random(2) === 0;
  const groupBy = ({ metadata }: Item): string => metadata?.labels?.['app'] ?? 'none';
  const totalOf = (n: number, count: number): Item => ({ n, text: `${String(count)} objects` });
  const initial = totalOf(0, 0);
  const count = ({ text }: Item): number => Number.parseInt(text, 10);
  return {
    kind: 'reduceObjects',
    inputs,
    build: (collections) =>
      reduceObjects(collections[0] as Collection<Item>, {
        initial,
        add: (total, { n }) => totalOf(total.n + n, count(total) + 1),
        ...(withRemove && { remove: (total: Item, { n }: Item) => totalOf(total.n - n, count(total) - 1) }),
        ...(grouped && { groupBy }),
        indexers,
      }),
    evaluate: (contents) => {
      const totals = new Map<string, Item>(grouped ? [] : [['total', initial]]);
      for (const item of (contents[inputs[0] ?? -1] as Content).values()) {
        const key = grouped ? groupBy(item) : 'total';
        const total = totals.get(key) ?? initial;
        totals.set(key, totalOf(total.n + item.n, count(total) + 1));
      }
      return totals;
    },
  };
}

function topStep(random: Random, inputs: readonly number[]): Step {
  const limit = 1 + random(4);
  const offset = random(3);
  const compare = (a: Item, b: Item): number => b.n - a.n;
  return {
    kind: offset === 0 ? 'topObjects' : 'window of topObjects',
    inputs,
    build: (collections) => {
      const most = offset === 0 ? limit : Infinity;
      const order = topObjects(collections[0] as Collection<Item>, compare, { limit: most, indexers });
      return offset === 0 ? order : order.window({ offset, limit, indexers });
    },
    evaluate: (contents) => {
      const order = sorted(contents[inputs[0] ?? -1] as Content).sort(([, a], [, b]) => compare(a, b));
      return new Map(order.slice(offset, offset + limit));
    },
  };
}

function indexStep(random: Random, inputs: readonly number[]): Step {
  const app = apps[random(3)] ?? '';
  return {
    kind: 'objectsByIndex',
    inputs,
    build: (collections) => objectsByIndex(collections[0] as Collection<Item>, 'app', app, { indexers }),
    evaluate: (contents) => new Map([...(contents[inputs[0] ?? -1] as Content)].filter(([, item]) => indexers.app(item).includes(app))),
  };
}

/** Up to six views over `sources` collections and over each other. */
export function randomSteps(random: Random, sources: number, failing: boolean): Step[] {
  const steps: Step[] = [];
  const length = 1 + random(6);
  for (let at = 0; at < length; at += 1) {
    const inputs = [random(sources + at), random(sources + at), random(sources + at)];
    const kind = random(10);
    if (kind < 4) steps.push(deriveStep(random, inputs, failing));
    else steps.push(([manyStep, groupStep, mergeStep, reduceStep, topStep, indexStep][kind - 4] ?? indexStep)(random, inputs));
  }
  return steps;
}

/** Folds changes, and checks that each follows from the content before. */
export class Fold {
  readonly content: Map<string, Item> = new Map<string, Item>();
  changes = 0;

  take({ cause, events }: ResourceChange<Item>): void {
    this.changes += 1;
    if (cause === 'snapshot') this.content.clear();
    let seenOther = false;
    const deleted = new Set<string>();
    const added = new Set<string>();
    for (const event of events) {
      const { key, type, object } = event;
      const before = this.content.get(key);
      if (type === 'deleted') {
        if (seenOther) throw new Error(`${key} is deleted behind others`);
        if (before === undefined) throw new Error(`${key} is deleted and was not there`);
        if (deleted.has(key)) throw new Error(`${key} is deleted twice`);
        deleted.add(key);
        this.content.delete(key);
        continue;
      }
      seenOther = true;
      if (added.has(key)) throw new Error(`${key} has two transitions`);
      added.add(key);
      if (type === 'added' && before !== undefined) throw new Error(`${key} is added and was there`);
      if (type === 'updated' && before !== event.oldObject) throw new Error(`${key} is updated from something else`);
      this.content.set(key, object);
    }
  }
}

/** A content as text, for comparing. */
export function textOf(content: Content): string {
  return sorted(content)
    .map(([key, { n, text }]) => `${key}: ${String(n)} ${text}`)
    .join('\n');
}
