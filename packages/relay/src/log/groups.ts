import { namespaceOfKey } from 'rx-informer/internal';
import type { Collection } from 'rx-informer';
import { trackNeeds, untyped, viewPortOf } from '@rx-informer/views/internal';
import type { RelayAccess } from '../rights/authorizer.js';
import type { RelaySources } from './relaySources.js';

/** Assigns keys of a source to groups: keys of one group need the same permissions. */
export interface SourceGroups {
  readonly groupOf: (key: string) => string;
  /** The permissions that a group needs; all of them are required. */
  readonly accessOf: (group: string) => readonly RelayAccess[];
  /** The permissions for all of the source, or for one namespace of it. */
  readonly whole: (namespace: string) => readonly RelayAccess[];
  /** The names of the kinds that it is computed from, by its inputs. */
  readonly kinds: readonly string[];
}

type Need = readonly [source: string, namespace: string];

/** The kinds that a source is computed from, directly and through other views. */
function kindsOf(sources: RelaySources, name: string, path: readonly string[] = []): readonly string[] {
  const source = sources[name];
  if (source === undefined)
    throw new TypeError(`Expected \`inputs\` of ${path.at(-1) ?? name} to be names of \`sources\`, got ${JSON.stringify(name)}`);
  if ('resource' in source) return [name];
  if (path.includes(name)) throw new TypeError(`Expected \`inputs\` without a cycle, got ${[...path, name].join(' -> ')}`);
  return [...new Set(source.inputs.flatMap((input) => kindsOf(sources, input, [...path, name])))];
}

/** The collections that a collection is made of, with itself. */
export function madeOf(collection: Collection<unknown>): ReadonlySet<Collection<never>> {
  const found = new Set([untyped(collection)]);
  for (const each of found) for (const input of viewPortOf(each)?.upstream() ?? []) found.add(input);
  return found;
}

/** The names of the kinds by their collections: the objects themselves, since several may have one name. */
function kindsByCollection(sources: RelaySources, declared: readonly string[]): ReadonlyMap<Collection<never>, readonly string[]> {
  const found = new Map<Collection<never>, string[]>();
  const add = (collection: Collection<never>, name: string): void => void found.set(collection, [...(found.get(collection) ?? []), name]);
  for (const [name, source] of Object.entries(sources)) if ('resource' in source) add(untyped(source.collection), name);
  // A kind may be a view, whose own inputs are no sources.
  const own = new Set(found.keys());
  for (const name of declared)
    for (const input of madeOf((sources[name] as RelaySources[string]).collection)) if (!own.has(input)) add(input, name);
  return found;
}

/** The namespace that a key of a kind is in; `''`, which stands for all of them, where the key is of another form, as that of an object in one of several clusters. */
const namespaceOf = (key: string): string => (key.indexOf('/') === key.lastIndexOf('/') ? namespaceOfKey(key) : '');

/** The group of values of which it is not known what they were computed from. */
const unknown = '*';

/** The groups of a source. */
export function sourceGroups(sources: RelaySources, name: string): SourceGroups {
  const source = sources[name] as RelaySources[string];
  const kinds = kindsOf(sources, name);
  // A view may read more than it was said to: then all of it needs that, too.
  const needed = new Set(kinds);
  const accessOf = ([kind, namespace]: Need): RelayAccess => {
    const { group, plural, namespaced } = (sources[kind] as Extract<RelaySources[string], { resource: unknown }>).resource;
    return { group, resource: plural, namespace: namespaced ? namespace : '' };
  };
  const whole = (namespace: string): readonly RelayAccess[] => [...needed].map((kind) => accessOf([kind, namespace]));
  if ('resource' in source) return { groupOf: namespaceOf, accessOf: (namespace) => [accessOf([name, namespace])], whole, kinds };
  const collection = untyped(source.collection);
  const names = kindsByCollection(sources, kinds);
  trackNeeds(collection);
  return {
    groupOf: (key) => {
      const needs = viewPortOf(collection)?.needsOf(key);
      if (needs === undefined) return unknown;
      const texts = new Set<string>();
      for (const [input, namespaces] of needs) {
        const found = names.get(input);
        if (found === undefined) return unknown;
        for (const kind of found) {
          needed.add(kind);
          for (const namespace of namespaces) texts.add(JSON.stringify([kind, accessOf([kind, namespace]).namespace]));
        }
      }
      return `[${[...texts].sort().join(',')}]`;
    },
    accessOf: (group) => (group === unknown ? whole('') : (JSON.parse(group) as readonly Need[]).map(accessOf)),
    // A view's value in one namespace may be computed from others.
    whole: () => whole(''),
    kinds,
  };
}
