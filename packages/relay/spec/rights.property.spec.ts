import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { of, VirtualTimeScheduler } from 'rxjs';
import { type Collection, createInformer, customResource, type KubernetesObject, type SharedInformer } from 'rx-informer';

import type { RelaySources } from '../src/log/relaySources.js';
import { fakeCollection, type FakeCollection } from '@rx-informer/views/testing';
import { advanceBy } from 'rx-informer/testing';
import { derive, groupObjects, keep, mergeViews, type Read } from '@rx-informer/views';
import { Link, pageSource, relayCore } from './link.js';
import { runs } from '../../../spec/tier.js';

const kinds = ['pods', 'secrets'] as const;
const namespaces = ['a', 'b'] as const;
const keys = namespaces.flatMap((namespace) => ['x', 'y'].map((name) => `${namespace}/${name}`));
/** The inputs of a view: the kinds, then the views before it. */
const viewCount = 4;

interface Item extends KubernetesObject {
  /** A text that no other version of any object has: where it is sent, something of this object is. */
  readonly atom: string;
}

/** What a view does at present: it is read from an object, so that the function stays pure. */
interface Plan extends KubernetesObject {
  readonly mode: 'make' | 'keep' | 'throw';
  readonly read: 'nothing' | 'key' | 'labels' | 'namespace' | 'filter';
  readonly from: number;
  readonly key: string;
  readonly app: string;
}

interface Shape {
  readonly make: 'derive' | 'group' | 'merge';
  readonly input: number;
  readonly other: number;
  /** Whether its values say only how much was found, and so stay equal while it changes. */
  readonly isQuiet: boolean;
}

type Action =
  | { readonly do: 'put'; readonly kind: number; readonly key: string; readonly app: string }
  | { readonly do: 'remove'; readonly kind: number; readonly key: string }
  | ({ readonly do: 'plan'; readonly view: number } & Pick<Plan, 'mode' | 'read' | 'from' | 'key' | 'app'>);

const app = fc.constantFrom('web', 'db');
const key = fc.constantFrom(...keys);
const kind = fc.nat(kinds.length - 1);
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('put' as const), kind, key, app }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), kind, key }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('plan' as const),
      view: fc.nat(viewCount - 1),
      mode: fc.constantFrom('make' as const, 'make' as const, 'keep' as const, 'throw' as const),
      read: fc.constantFrom('nothing' as const, 'key' as const, 'labels' as const, 'namespace' as const, 'filter' as const),
      from: fc.nat(kinds.length + viewCount - 2),
      key,
      app,
    }),
  },
);
const shapes = fc.tuple(
  ...Array.from({ length: viewCount }, (_, at) =>
    fc.record({
      make: fc.constantFrom('derive' as const, 'derive' as const, 'derive' as const, 'group' as const, 'merge' as const),
      input: fc.nat(kinds.length + at - 1),
      other: fc.nat(kinds.length + at - 1),
      isQuiet: fc.boolean(),
    }),
  ),
);
const grants = fc.subarray(kinds.flatMap((one) => ['', ...namespaces].map((namespace) => `${one}|${namespace}`)));

/** What a value was computed from: namespaces of kinds. `isExact` is false where the relay may ask for more. */
interface Origin {
  readonly atoms: ReadonlySet<string>;
  readonly isExact: boolean;
}

interface Known extends Origin {
  readonly value: unknown;
}

type Contents = ReadonlyMap<string, Known>;

function together(origins: readonly Origin[]): Origin {
  return { atoms: new Set(origins.flatMap(({ atoms }) => [...atoms])), isExact: origins.every(({ isExact }) => isExact) };
}

const inexact: Origin = { atoms: new Set(), isExact: false };
const namespaceOf = (text: string): string => text.slice(0, Math.max(0, text.indexOf('/')));
const appOf = (value: unknown): string | undefined => (value as Partial<Item>).metadata?.labels?.['app'];

/** The value of a derived view: whole, or only how much was found. It keeps the metadata, so that the next view can select it. */
function valueOf(isQuiet: boolean, own: unknown, found: readonly unknown[]): object {
  const { metadata } = own as Item;
  const { namespace, name, labels } = metadata ?? {};
  return { metadata: { namespace, name, labels }, ...(isQuiet ? { n: found.length > 0 } : { of: JSON.stringify([own, found]) }) };
}

/** The views as they should be: with values, and what each was computed from. */
class Model {
  readonly contents: Map<string, Known>[] = Array.from({ length: kinds.length + viewCount }, () => new Map<string, Known>());
  private readonly shapes: readonly Shape[];
  private readonly plans: readonly Plan[];

  constructor(given: readonly Shape[], plans: readonly Plan[]) {
    this.shapes = given;
    this.plans = plans;
  }

  take(at: number, objects: Iterable<Item>): void {
    this.contents[at] = new Map(
      [...objects].map((value): [string, Known] => {
        const { namespace = '', name = '' } = value.metadata ?? {};
        return [`${namespace}/${name}`, { value, atoms: new Set([`${kinds[at] ?? ''}|${namespace}`]), isExact: true }];
      }),
    );
  }

  settle(): void {
    for (const [at, shape] of this.shapes.entries()) {
      const position = kinds.length + at;
      const before = this.contents[position] as Contents;
      const input = this.contents[shape.input] as Contents;
      if (shape.make === 'group') this.contents[position] = this.grouped(input);
      else if (shape.make === 'merge') this.contents[position] = this.merged(input, this.contents[shape.other] as Contents, shape);
      else this.contents[position] = this.derived(at, input, before);
    }
  }

  private derived(at: number, input: Contents, before: Contents): Map<string, Known> {
    const plan = this.plans[at] as Plan;
    const { isQuiet } = this.shapes[at] as Shape;
    const after = new Map<string, Known>();
    for (const [name, own] of input) {
      const last = before.get(name);
      if (plan.mode !== 'make') {
        if (last !== undefined) after.set(name, last);
        continue;
      }
      const { found, origin } = this.read(plan, at);
      after.set(name, { value: valueOf(isQuiet, own.value, found), ...together([own, origin]) });
    }
    return after;
  }

  private read({ read, from, key: wanted, app: label }: Plan, at: number): { readonly found: readonly unknown[]; readonly origin: Origin } {
    const source = from % (kinds.length + at);
    const content = this.contents[source] as Contents;
    const isKind = source < kinds.length;
    if (read === 'nothing') return { found: [], origin: together([]) };
    if (read === 'key') {
      const one = content.get(wanted);
      if (one !== undefined) return { found: [one.value], origin: one };
      const absent: Origin = { atoms: new Set([`${kinds[source] ?? ''}|${namespaceOf(wanted)}`]), isExact: true };
      return { found: [], origin: isKind ? absent : inexact };
    }
    const named = [...content].sort(([a], [b]) => (a < b ? -1 : 1));
    const matches = named.filter(([name, { value }]) =>
      read === 'namespace' ? namespaceOf(name) === namespaceOf(wanted) : appOf(value) === label,
    );
    const found = matches.map(([, { value }]) => value);
    const origins = matches.map(([, one]) => one);
    if (read === 'namespace' && isKind) {
      const all: Origin = { atoms: new Set([`${kinds[source] ?? ''}|${namespaceOf(wanted)}`]), isExact: true };
      return { found, origin: all };
    }
    // A filter has examined everything; who finds nothing must know all of it.
    if (read === 'filter' && !isKind) return { found, origin: together([...named.map(([, one]) => one), inexact]) };
    if (read === 'filter' || (isKind && found.length === 0)) {
      return { found, origin: { atoms: new Set([`${kinds[source] ?? ''}|`]), isExact: true } };
    }
    return { found, origin: found.length === 0 ? inexact : together(origins) };
  }

  private grouped(input: Contents): Map<string, Known> {
    const groups = new Map<string, [string, Known][]>();
    for (const [name, one] of input) {
      const group = appOf(one.value);
      if (group !== undefined) groups.set(group, [...(groups.get(group) ?? []), [name, one]]);
    }
    return new Map(
      [...groups].map(([group, members]): [string, Known] => {
        const objects = members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { value }]) => value);
        return [group, { value: { key: group, size: objects.length, objects }, ...together(members.map(([, one]) => one)) }];
      }),
    );
  }

  private merged(input: Contents, second: Contents, { input: first, other }: Shape): Map<string, Known> {
    const after = new Map<string, Known>(input);
    if (first === other) return after;
    for (const [name, one] of second) {
      const mine = input.get(name);
      after.set(name, mine === undefined ? one : { value: mine.value, ...together([mine, one]) });
    }
    return after;
  }
}

const resourceOf = (plural: string, namespaced: boolean) =>
  customResource<KubernetesObject>({ group: 'example.com', version: 'v1', plural, kind: plural, namespaced });
const quiet = { warn: () => undefined };

class World {
  readonly problems: string[] = [];
  private readonly scheduler = new VirtualTimeScheduler();
  private readonly collections: FakeCollection<Item>[];
  private readonly plans: Plan[];
  private readonly switches: FakeCollection<Plan>;
  private readonly views: Collection<unknown>[] = [];
  private readonly model: Model;
  private readonly users: ReadonlyMap<string, ReadonlySet<string>>;
  private readonly pages: { readonly user: string; readonly view: number; readonly page: SharedInformer<KubernetesObject> }[] = [];
  private readonly core;
  private versions = 0;

  constructor(given: readonly Shape[], granted: readonly (readonly string[])[]) {
    const { scheduler } = this;
    this.users = new Map(granted.map((of, at) => [`user${at}`, new Set(of)]));
    this.collections = kinds.map((name) => fakeCollection<Item>([], { name, scheduler }));
    this.plans = given.map((_, at) => ({ metadata: { name: `view${at}` }, mode: 'make', read: 'nothing', from: 0, key: '', app: '' }));
    this.switches = fakeCollection<Plan>(this.plans, { name: 'switches', scheduler });
    this.model = new Model(given, this.plans);
    const sources: Record<string, RelaySources[string]> = {
      switches: { collection: this.switches, resource: resourceOf('switches', false) },
    };
    for (const [at, name] of kinds.entries()) sources[name] = { collection: this.collection(at), resource: resourceOf(name, true) };
    for (const [at, shape] of given.entries()) {
      this.views.push(this.view(at, shape));
      const inputs = ['switches', ...kinds, ...given.slice(0, at).map((_, before) => `view${before}`)];
      sources[`view${at}`] = { collection: this.views[at] as Collection<unknown>, inputs };
    }
    const review = (
      { name }: { readonly name: string },
      { resource, namespace }: { readonly resource: string; readonly namespace: string },
    ) => of(this.allows(name, `${resource}|${namespace}`));
    this.core = relayCore({ sources, scheduler, authorizer: { review } });
    for (const user of this.users.keys()) for (const at of given.keys()) this.open(user, at, 'all');
    this.check('at first');
  }

  act(one: Action): void {
    if (one.do === 'plan') {
      this.plans[one.view] = { ...one, metadata: { name: `view${one.view}` } };
      this.switches.put(this.plans[one.view] as Plan);
    } else if (one.do === 'remove') this.collections[one.kind]?.remove(one.key);
    else {
      this.versions += 1;
      const [namespace = '', name = ''] = one.key.split('/');
      const atom = `${kinds[one.kind] ?? ''}|${namespace}@${this.versions};`;
      this.collections[one.kind]?.put({ metadata: { namespace, name, labels: { app: one.app } }, atom });
    }
    this.check(JSON.stringify(one));
  }

  /** Pages that ask for other fields later: their scopes have logs of their own. */
  reopen(): void {
    for (const user of this.users.keys())
      for (const at of this.views.keys()) this.open(user, at, ['metadata', 'atom', 'n', 'of', 'key', 'size', 'objects']);
    this.check('in the end');
  }

  stop(): void {
    for (const { page } of this.pages) void page.stop();
    this.core.stop();
  }

  private allows(user: string, access: string): boolean {
    const held = this.users.get(user);
    return access.startsWith('switches|') || held?.has(access) === true || held?.has(access.replace(/\|.*/, '|')) === true;
  }

  private collection(at: number): Collection<unknown> {
    return (this.collections[at] ?? this.views[at - kinds.length]) as Collection<unknown>;
  }

  private view(at: number, { make, input, other, isQuiet }: Shape): Collection<unknown> {
    const { scheduler } = this;
    const own = this.collection(input);
    if (make === 'group') return groupObjects(own, appOf, { scheduler });
    if (make === 'merge') return mergeViews([own, this.collection(other)], { scheduler });
    const work = (object: unknown, read: Read): object | typeof keep => {
      const { mode, read: how, from, key: wanted, app: label } = read.get(this.switches, `view${at}`) as Plan;
      const target = this.collection(from % (kinds.length + at));
      const one = how === 'key' ? read.get(target, wanted) : undefined;
      const found =
        how === 'nothing'
          ? []
          : how === 'key'
            ? [one].filter((each) => each !== undefined)
            : how === 'labels'
              ? read(target, { labelSelector: { app: label } })
              : how === 'namespace'
                ? read(target, { namespace: namespaceOf(wanted) })
                : read(target, { filter: (each) => appOf(each) === label });
      if (mode === 'keep') return keep;
      if (mode === 'throw') throw new Error('not now');
      return valueOf(isQuiet, object, found);
    };
    return derive<unknown, object>(own, work, { scheduler, logger: quiet });
  }

  private open(user: string, view: number, fields: 'all' | readonly string[]): void {
    const { scheduler } = this;
    const link = new Link(this.core, { authorization: user });
    link.onText = (text) => {
      for (const [, access = ''] of text.matchAll(/(\w+\|\w)@\d+;/g))
        if (!this.allows(user, access)) this.problems.push(`${user} was sent ${access} of view${view}: ${text}`);
    };
    const page = createInformer<KubernetesObject>(pageSource(link, scheduler, { view: `view${view}`, fields }), {
      scheduler,
      logger: quiet,
    });
    page.start();
    this.pages.push({ user, view, page });
  }

  private check(when: string): void {
    for (const [at, collection] of this.collections.entries()) this.model.take(at, collection.lister.list());
    this.model.settle();
    advanceBy(this.scheduler, 1_000);
    for (const { user, view, page } of this.pages) {
      const expected = this.model.contents[kinds.length + view] as Contents;
      for (const name of page.indexer.listKeys())
        if (!expected.has(name)) this.problems.push(`${when}: ${user} sees ${name} of view${view}, which is gone`);
      for (const [name, { value, atoms, isExact }] of expected) {
        const shown = page.indexer.getByKey(name);
        const missing = [...atoms].filter((access) => !this.allows(user, access));
        const what = `${when}: ${user}, ${name} of view${view}, made of ${[...atoms].join(' ')}`;
        if (missing.length > 0 && shown !== undefined) this.problems.push(`${what}: sees it without ${missing.join(' ')}`);
        if (missing.length === 0 && isExact && shown === undefined) this.problems.push(`${what}: does not see it`);
        if (shown !== undefined && JSON.stringify(shown) !== JSON.stringify(value))
          this.problems.push(`${what}: sees ${JSON.stringify(shown)}`);
      }
    }
  }
}

describe('rights to the values of views', () => {
  it('follow what each value was computed from: equal names, values that are kept or fail, inputs that change and values that do not', () => {
    fc.assert(
      fc.property(shapes, fc.tuple(grants, grants), fc.array(action, { minLength: 1, maxLength: 20 }), (given, granted, actions) => {
        const world = new World(given, granted);
        for (const one of actions) world.act(one);
        world.reopen();
        world.stop();
        expect(world.problems).toEqual([]);
      }),
      { numRuns: runs(800) },
    );
  });
});
