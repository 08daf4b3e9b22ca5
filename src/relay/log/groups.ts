import { namespaceOfKey } from '../../api/kubernetesObject.js';
import type { ViewExplanation } from '../../views/view.js';
import type { RelayAccess } from '../rights/authorizer.js';
import type { RelaySources, RelayView } from './relaySources.js';

/** Assigns keys of a source to groups: keys of one group need the same permissions. */
export interface SourceGroups {
  readonly groupOf: (key: string) => string;
  /** The permissions that a group needs; all of them are required. */
  readonly accessOf: (group: string) => readonly RelayAccess[];
  /** The permissions for all of the source, or for one namespace of it. */
  readonly whole: (namespace: string) => readonly RelayAccess[];
  /** The names of the kinds that it is computed from. */
  readonly kinds: readonly string[];
}

type Explained = { readonly explain?: (key: string) => ViewExplanation | undefined };
type Need = readonly [source: string, namespace: string];

/** The kinds that a view is computed from, directly and through other views. */
function kindsOf(sources: RelaySources, name: string, path: readonly string[] = []): readonly string[] {
  const source = sources[name];
  if (source === undefined)
    throw new TypeError(`Expected \`inputs\` of ${path.at(-1) ?? name} to be names of \`sources\`, got ${JSON.stringify(name)}`);
  if ('resource' in source) return [name];
  if (path.includes(name)) throw new TypeError(`Expected \`inputs\` without a cycle, got ${[...path, name].join(' -> ')}`);
  return [...new Set(source.inputs.flatMap((input) => kindsOf(sources, input, [...path, name])))];
}

/** The namespaces that one read of a view has examined; `''`, for all, if unknown. */
function namespacesOf({ read, keys }: ViewExplanation['inputs'][number]): readonly string[] {
  const named = /^namespace (\S+)/.exec(read)?.[1];
  if (named !== undefined) return [named];
  // A filter has examined objects that it rejected, which are not among the keys.
  if (read.endsWith(' filtered')) return [''];
  const seen = read.startsWith('key ') ? [read.slice(4)] : keys;
  return seen.length === 0 ? [''] : [...new Set(seen.map(namespaceOfKey))];
}

/** The kinds and namespaces that a value was computed from; undefined if the view cannot explain it. */
function needsOf(sources: RelaySources, { collection, inputs }: RelayView, key: string): readonly Need[] | undefined {
  const explained = (collection as Explained).explain?.(key);
  if (explained === undefined) return undefined;
  const needs: Need[] = [];
  for (const input of explained.inputs) {
    const name = inputs.find((candidate) => sources[candidate]?.collection.name === input.collection);
    const source = name === undefined ? undefined : sources[name];
    if (name === undefined || source === undefined) return undefined;
    if ('resource' in source) {
      for (const namespace of namespacesOf(input)) needs.push([name, source.resource.namespaced ? namespace : '']);
      continue;
    }
    // For an input that is a view: what its values were computed from, or everything if it had none.
    const deeper = input.keys.length === 0 ? [undefined] : input.keys.map((inner) => needsOf(sources, source, inner));
    for (const inner of deeper) {
      if (inner === undefined) return undefined;
      needs.push(...inner);
    }
  }
  return needs;
}

/** The groups of a source. */
export function sourceGroups(sources: RelaySources, name: string): SourceGroups {
  const source = sources[name] as RelaySources[string];
  const kinds = kindsOf(sources, name);
  const accessOf = ([kind, namespace]: Need): RelayAccess => {
    const { group, plural, namespaced } = (sources[kind] as Extract<RelaySources[string], { resource: unknown }>).resource;
    return { group, resource: plural, namespace: namespaced ? namespace : '' };
  };
  const whole = (namespace: string): readonly RelayAccess[] => kinds.map((kind) => accessOf([kind, namespace]));
  if ('resource' in source) return { groupOf: namespaceOfKey, accessOf: (namespace) => [accessOf([name, namespace])], whole, kinds };
  const everything = JSON.stringify(kinds.map((kind): Need => [kind, '']));
  return {
    groupOf: (key) => {
      const needs = needsOf(sources, source, key);
      if (needs === undefined) return everything;
      const texts = new Set(needs.map((need) => JSON.stringify(need)));
      return `[${[...texts].sort().join(',')}]`;
    },
    accessOf: (group) => (JSON.parse(group) as readonly Need[]).map(accessOf),
    // A view's value in one namespace may be computed from others.
    whole: () => kinds.map((kind) => accessOf([kind, ''])),
    kinds,
  };
}
