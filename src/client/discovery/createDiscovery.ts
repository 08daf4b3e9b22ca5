import { isJsonObject } from '../../api/json.js';
import { entryOf } from '../../api/entryOf.js';
import { isNotFound } from '../../api/errors/apiError.js';
import type { UnstructuredObject } from '../../api/kubernetesObject.js';
import type { V1APIGroup, V1APIResource } from '../../api/kubernetes/metaV1.js';
import { definedOf, describeValue, similarTo } from '../../api/options.js';
import { type Resource, resourceName, type Verb, apiVersionOf } from '../../api/resource.js';
import { redactedMessage, RequestError } from '../requests/requestError.js';

/** GETs a path and returns the parsed JSON. */
type Ask = (path: string, accept: string) => Promise<unknown>;

const json = 'application/json';
const aggregated = ['v2', 'v2beta1'].map((version) => `${json};g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`);
const acceptBoth = [...aggregated, json].join(',');

/** The resources of a server or of one API group, those of the preferred version first. */
interface Discovered {
  readonly resources: readonly Resource<UnstructuredObject>[];
  /** The versions that could not be read, and why. */
  readonly failures: readonly string[];
}

/** The part of an APIGroupDiscoveryList that is used. */
interface ResourceDiscovery {
  readonly resource: string;
  readonly responseKind?: { readonly kind?: string | undefined } | null;
  readonly scope?: string;
  readonly singularResource?: string | undefined;
  readonly verbs?: readonly string[] | undefined;
  readonly shortNames?: readonly string[] | undefined;
  readonly categories?: readonly string[] | undefined;
  readonly subresources?: readonly { readonly subresource: string }[] | undefined;
}

interface GroupDiscoveryList {
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly {
      readonly version: string;
      readonly freshness?: string;
      readonly resources?: readonly ResourceDiscovery[];
    }[];
  }[];
}

/** Whether an answer is aggregated discovery. */
function isAggregated(answer: unknown): answer is GroupDiscoveryList {
  return isJsonObject(answer) && answer['kind'] === 'APIGroupDiscoveryList';
}

/** A discovered resource, none for one without a kind. Its verbs are known at run time only. */
function resourcesOf(group: string, version: string, found: ResourceDiscovery): Resource<UnstructuredObject>[] {
  const { resource: plural, responseKind, scope, singularResource = '', verbs = [], shortNames, categories, subresources: parts } = found;
  const kind = responseKind?.kind ?? '';
  if (kind === '') return [];
  const singular = singularResource === '' ? undefined : singularResource;
  const optional = definedOf({ singular, shortNames, categories, subresources: parts?.map(({ subresource }) => subresource) });
  const known = { group, version, plural, kind, namespaced: scope === 'Namespaced', ...optional };
  return [{ ...known, verbs: Object.fromEntries(verbs.map((verb) => [verb, true])) as Record<Verb, true> }];
}

/** The groups of an aggregated answer. A version whose aggregated server does not answer is marked as stale, and may have the resources of an earlier answer. */
function aggregatedGroups(list: GroupDiscoveryList): Discovered[] {
  return (list.items ?? []).map(({ metadata, versions = [] }) => {
    const group = metadata?.name ?? '';
    const resources = versions.flatMap(({ version, resources: found = [] }) => found.flatMap((one) => resourcesOf(group, version, one)));
    const failures = versions
      .filter(({ freshness, resources: found = [] }) => freshness === 'Stale' && found.length === 0)
      .map(({ version }) => `${group}/${version}: its server does not answer`);
    return { resources, failures };
  });
}

type ApiResource = Partial<V1APIResource> & Pick<V1APIResource, 'name'>;
type ApiGroup = Partial<V1APIGroup> & Pick<V1APIGroup, 'name'>;

/** Answers of the legacy form: `/api` with `versions`, `/apis` with `groups`. */
interface LegacyAnswer {
  readonly versions?: readonly string[];
  readonly groups?: readonly ApiGroup[];
}

/** Resources of the legacy form as those of the aggregated one. */
function discoveriesOf(list: readonly ApiResource[]): ResourceDiscovery[] {
  return list
    .filter(({ name }) => !name.includes('/'))
    .map(({ name, kind, namespaced, singularName, verbs, shortNames, categories }) => {
      const parts = list.filter((one) => one.name.startsWith(`${name}/`)).map((one) => ({ subresource: one.name.slice(name.length + 1) }));
      const subresources = parts.length > 0 ? parts : undefined;
      const scope = namespaced === true ? 'Namespaced' : 'Cluster';
      return { resource: name, scope, responseKind: { kind }, singularResource: singularName, verbs, shortNames, categories, subresources };
    });
}

function preferredFirst({ versions = [], preferredVersion }: ApiGroup): string[] {
  const names = versions.map(({ version }) => version);
  const preferred = preferredVersion?.version;
  return preferred !== undefined && names.includes(preferred) ? [preferred, ...names.filter((name) => name !== preferred)] : names;
}

async function readGroup(group: string, versions: readonly string[], ask: Ask): Promise<Discovered> {
  const failures: string[] = [];
  const read = versions.map(async (version) => {
    const apiVersion = apiVersionOf({ group, version });
    try {
      const { resources } = (await ask(`${group === '' ? '/api' : '/apis'}/${apiVersion}`, json)) as {
        readonly resources?: readonly ApiResource[] | null;
      };
      return discoveriesOf(resources ?? []).flatMap((one) => resourcesOf(group, version, one));
    } catch (error) {
      failures.push(`${apiVersion}: ${redactedMessage(error)}`);
      return [];
    }
  });
  return { resources: (await Promise.all(read)).flat(), failures };
}

/** Requests every group version that an answer names, all at once. One failure does not affect the others. */
function legacyGroups({ versions, groups = [] }: LegacyAnswer, ask: Ask): Promise<Discovered[]> {
  // First, since it may throw: then nothing has been asked.
  const others = groups.map((group) => readGroup(group.name, preferredFirst(group), ask));
  const core = versions === undefined ? [] : [readGroup('', versions, ask)];
  return Promise.all([...core, ...others]);
}

/** The groups below a path: by aggregated discovery, or group by group where the server knows only the older form. */
async function groupsAt(path: '/api' | '/apis', ask: Ask): Promise<Discovered[]> {
  const answer = await ask(path, acceptBoth);
  try {
    return isAggregated(answer) ? aggregatedGroups(answer) : await legacyGroups(answer as LegacyAnswer, ask);
  } catch (error) {
    // Reading content of another form throws one.
    if (!(error instanceof TypeError)) throw error;
    throw new RequestError({
      code: 'ERR_DECODE',
      message: `Expected the answer to GET ${path} to be a list of API groups, got something else`,
    });
  }
}

type Found = Resource<UnstructuredObject>;

/** The resources that an API server serves, requested once and then cached. */
export interface Discovery {
  /** Every resource of every group, in its group's preferred version first. Asks again when a group could not be read the last time. */
  resources(): Promise<readonly Resource<UnstructuredObject>[]>;
  /**
   * The resource that a user's word names: a plural, singular, kind or short name, in any case, optionally followed by `.group` or `.version.group`. Rejects with
   * a TypeError that suggests similar names.
   */
  find(name: string): Promise<Resource<UnstructuredObject>>;
  /** The resources of a category, for example `all`. */
  category(name: string): Promise<readonly Resource<UnstructuredObject>[]>;
  /** Drops the cached answer: the next call asks the server again. */
  invalidate(): void;
}

/** The names that a word is compared with, in order: the plural of any resource wins over the short name of another. */
const namings: readonly ((resource: Found) => readonly (string | undefined)[])[] = [
  ({ plural }) => [plural],
  ({ singular }) => [singular],
  ({ kind }) => [kind],
  ({ shortNames = [] }) => shortNames,
];

/** Whether the part of a user's word after its first dot matches this resource: it is empty, the group, or the version and the group. */
function isIn({ group, version }: Found, qualifier: string | undefined): boolean {
  return (
    qualifier === undefined ||
    qualifier === group.toLowerCase() ||
    qualifier === `${version}.${group}`.toLowerCase() ||
    (group === '' && qualifier === version)
  );
}

/**
 * The first resource that a user's word names.
 *
 * The word is a plural, a singular, a kind or a short name, in any case, optionally followed by `.group` or `.version.group`.
 */
function findResource(resources: readonly Found[], word: string): Found | undefined {
  const [name = '', ...rest] = word.trim().toLowerCase().split('.');
  const qualifier = rest.length === 0 ? undefined : rest.join('.');
  const candidates = resources.filter((resource) => isIn(resource, qualifier));
  for (const naming of namings) {
    const found = candidates.find((resource) => naming(resource).some((other) => other?.toLowerCase() === name));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The resources of a category, each in its group's preferred version. */
function inCategory(resources: readonly Found[], category: string): Found[] {
  const wanted = category.toLowerCase();
  const versions = new Map<string, string>();
  return resources.filter((resource) => {
    if (resource.categories?.some((other) => other.toLowerCase() === wanted) !== true) return false;
    return entryOf(versions, resourceName(resource), () => resource.version) === resource.version;
  });
}

function unknownName(name: string, { resources, failures }: Discovered): TypeError {
  const unread = failures.length === 0 ? '' : ` (could not read ${failures.join('; ')})`;
  const named = resources.flatMap((resource) => [...namings.flatMap((naming) => naming(resource)), resourceName(resource)]);
  const words = named.filter((word) => word !== undefined);
  const suggestion = similarTo(name, words) || similarTo(name.split('.', 1)[0] ?? '', words);
  return new TypeError(`The server has no resource ${JSON.stringify(name)}${suggestion}${unread}`);
}

/** Parsed JSON without its nulls: Go writes an empty list as null. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((element) => element !== null).map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutNulls(field)]));
}

async function discover(send: Ask): Promise<Discovered> {
  const ask: Ask = async (path, accept) => withoutNulls(await send(path, accept));
  // A server may serve only one of the two.
  const [core, named] = await Promise.allSettled([groupsAt('/api', ask), groupsAt('/apis', ask)]);
  if (core.status === 'rejected' && (named.status === 'rejected' || !isNotFound(core.reason))) throw core.reason;
  if (named.status === 'rejected' && !isNotFound(named.reason)) throw named.reason;
  const groups = [core, named].flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  return {
    resources: groups.flatMap(({ resources }) => resources),
    failures: groups.flatMap(({ failures }) => failures),
  };
}

/**
 * Asks a server which resources it serves: by aggregated discovery in two requests, or group by group where it knows only the older form.
 *
 * The answer is cached until `invalidate()`, until `find` does not find a name in it, or until all are asked for where a part of them could not be read.
 */
export function createDiscovery(ask: Ask): Discovery {
  let known: Promise<Discovered> | undefined;
  /** The last answer that has come. */
  let last: Promise<Discovered> | undefined;

  function discovered(): Promise<Discovered> {
    if (known !== undefined) return known;
    const asked = discover(ask);
    known = asked;
    asked.then(
      () => (last = asked),
      () => {
        if (known === asked) known = undefined;
      },
    );
    return asked;
  }

  /** The answer: another one where the `old` one does not do. */
  async function answerThat(does: (answer: Discovered) => boolean, old: Promise<Discovered> | undefined): Promise<Discovered> {
    const answer = await discovered();
    if (old === undefined || does(answer)) return answer;
    if (known === old) known = undefined;
    return discovered();
  }

  async function all(): Promise<Discovered['resources']> {
    const { resources } = await answerThat(({ failures }) => failures.length === 0, known === last ? known : undefined);
    return resources;
  }

  return {
    resources: all,

    async find(name) {
      if (typeof name !== 'string' || name.trim() === '')
        throw new TypeError(`Expected the name of a resource, got ${describeValue(name)}`);
      // The resource may have been installed since the answer was asked for.
      const answer = await answerThat(({ resources }) => findResource(resources, name) !== undefined, known);
      const found = findResource(answer.resources, name);
      if (found !== undefined) return found;
      throw unknownName(name, answer);
    },

    category: async (name) => inCategory(await all(), name),

    invalidate: () => void (known = undefined),
  };
}
