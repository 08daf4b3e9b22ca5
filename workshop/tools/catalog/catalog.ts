import type { Verb } from 'rx-informer';
import { resourceName } from '../../../src/api/resource.js';
import { categories, shortNames, verbsNotOffered } from './shortNames.js';
import type { Operation } from './operations.js';

/**
 * One built-in resource.
 */
export interface Entry {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  /** The name of the interface of its objects. */
  readonly model: string;
  /** The type of the list. */
  readonly list: string | undefined;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly Verb[];
  readonly subresources: readonly string[];
}

/** All verbs, in the order of the catalog. */
export const everyVerb: readonly Verb[] = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];

const pathSyntax =
  /^\/(?:api|apis\/(?<group>[^/{]+))\/(?<version>v[^/]+)(?<scope>\/namespaces\/\{namespace\})?\/(?<plural>[^/{]+)(?<item>\/\{name\}(?:\/(?<subresource>[^/]+))?)?$/;

const collectionVerbs: Readonly<Record<string, Verb>> = { GET: 'list', POST: 'create', DELETE: 'deletecollection' };
const itemVerbs: Readonly<Record<string, Verb>> = { GET: 'get', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };

/** The facts about one resource in the operations. */
class Draft {
  namespaced = false;
  list: string | undefined;
  readonly verbs = new Set<Verb>();
  readonly models = new Set<string>();
  readonly subresources = new Set<string>();
  readonly group: string;
  readonly version: string;
  readonly plural: string;

  constructor(group: string, version: string, plural: string) {
    this.group = group;
    this.version = version;
    this.plural = plural;
  }

  add(operation: Operation, place: Readonly<Record<string, string | undefined>>): void {
    if (place['scope'] !== undefined) this.namespaced = true;
    if (place['subresource'] !== undefined) {
      this.subresources.add(place['subresource']);
      return;
    }
    const verb = (place['item'] === undefined ? collectionVerbs : itemVerbs)[operation.method];
    if (verb === undefined) throw new Error(`Cannot tell the verb of ${operation.method} ${operation.path}`);
    this.verbs.add(verb);
    if (verb === 'list') {
      this.list = operation.answer;
      if (operation.watch) this.verbs.add('watch');
    }
    if (verb === 'get' || verb === 'create') this.models.add(operation.answer ?? '');
  }

  entry(): Entry {
    const { group, version, plural, namespaced, list, models } = this;
    const [model = ''] = models;
    const kind = /^[A-Z]?[a-z]*V\d+(?:(?:alpha|beta)\d+)?([A-Z]\w*)$/.exec(model)?.[1];
    if (kind === undefined || models.size !== 1)
      throw new Error(`Cannot tell the kind of ${group}/${version} ${plural} from ${[...models].join()}`);
    const name = resourceName(this);
    const notOffered = verbsNotOffered[name] ?? [];
    return {
      ...{ group, version, plural, kind, model, list, namespaced },
      shortNames: shortNames[name] ?? [],
      categories: Object.keys(categories).filter((category) => categories[category]?.includes(name)),
      verbs: everyVerb.filter((verb) => this.verbs.has(verb) && !notOffered.includes(verb)),
      subresources: [...this.subresources].sort(),
    };
  }
}

/** Newest stable version first, then beta, then alpha, as API servers prefer them. */
function compareVersions(a: string, b: string): number {
  const rank = (version: string): readonly number[] => {
    const [, major = '0', stage, minor = '0'] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
    return [stage === undefined ? 2 : stage === 'beta' ? 1 : 0, Number(major), Number(minor)];
  };
  const other = rank(b);
  return rank(a).reduce((result, number, at) => (result === 0 ? (other[at] ?? 0) - number : result), 0);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function checkFacts(entries: readonly Entry[]): void {
  const known = new Set(entries.map(resourceName));
  for (const name of [...Object.keys(shortNames), ...Object.values(categories).flat(), ...Object.keys(verbsNotOffered)]) {
    if (!known.has(name)) throw new Error(`workshop/tools/catalog/shortNames.ts speaks of ${name}, which no API class has`);
  }
}

/**
 * The built-in resources, by group (core first), version (the preferred one first) and plural.
 */
export function catalogOf(operations: readonly Operation[]): readonly Entry[] {
  const drafts = new Map<string, Draft>();
  for (const operation of operations) {
    const place = pathSyntax.exec(operation.path)?.groups;
    if (place === undefined) continue;
    const { group = '', version = '', plural = '' } = place;
    const key = `${group}/${version}/${plural}`;
    const draft = drafts.get(key) ?? new Draft(group, version, plural);
    drafts.set(key, draft);
    draft.add(operation, place);
  }
  const entries = [...drafts.values()].map((draft) => draft.entry());
  entries.sort((a, b) => compare(a.group, b.group) || compareVersions(a.version, b.version) || compare(a.plural, b.plural));
  checkFacts(entries);
  return entries;
}
