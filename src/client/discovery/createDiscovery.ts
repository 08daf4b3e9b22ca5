import { isNotFound } from '../../api/errors/apiErrorPredicates.js';
import type { UnstructuredObject } from '../../api/kubernetesObject.js';
import type { Resource } from '../../api/resource.js';
import { aggregatedGroups, isAggregated } from './aggregatedDiscovery.js';
import type { DiscoveredGroup } from './discoveredGroup.js';
import type { Discovery } from './discovery.js';
import { findResource, inCategory, wordsFor } from './findResource.js';
import { legacyGroups, type LegacyAnswer } from './legacyDiscovery.js';
import { similarTo } from '../../api/options/similarTo.js';

/** Asks for a path, and gives the JSON of the answer. */
type Ask = (path: string, accept: string) => Promise<unknown>;

const json = 'application/json';
const aggregated = ['v2', 'v2beta1'].map((version) => `${json};g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`);
const acceptBoth = [...aggregated, json].join(',');

/** What a server offers. */
interface Discovered {
  readonly resources: readonly Resource<UnstructuredObject>[];
  readonly failures: readonly string[];
}

async function groupsAt(path: '/api' | '/apis', ask: Ask): Promise<DiscoveredGroup[]> {
  const answer = await ask(path, acceptBoth);
  return isAggregated(answer) ? aggregatedGroups(answer) : legacyGroups(answer as LegacyAnswer, (each) => ask(each, json));
}

async function discover(ask: Ask): Promise<Discovered> {
  // A server may have only one of them.
  const [core, named] = await Promise.allSettled([groupsAt('/api', ask), groupsAt('/apis', ask)]);
  if (core.status === 'rejected' && (named.status === 'rejected' || !isNotFound(core.reason))) throw core.reason;
  if (named.status === 'rejected' && !isNotFound(named.reason)) throw named.reason;
  const groups = [core, named].flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  return {
    resources: groups.flatMap(({ versions }) => versions.flatMap(({ resources }) => resources)),
    failures: groups.flatMap(({ failures }) => failures),
  };
}

/**
 * Asks a server what it offers: by aggregated discovery in two requests, or group by group where it knows only the older form.
 *
 * The answer is kept until `invalidate()`, or until a name is looked for that it does not have.
 */
export function createDiscovery(ask: Ask): Discovery {
  let known: Promise<Discovered> | undefined;

  function discovered(): Promise<Discovered> {
    if (known !== undefined) return known;
    const asked = discover(ask);
    known = asked;
    asked.catch(() => {
      if (known === asked) known = undefined;
    });
    return asked;
  }

  return {
    resources: async () => (await discovered()).resources,

    async find(name) {
      if (typeof name !== 'string' || name.trim() === '')
        throw new TypeError(`Expected the name of a resource, got ${JSON.stringify(name)}`);
      const old = known;
      let { resources, failures } = await discovered();
      let found = findResource(resources, name);
      if (found === undefined && old !== undefined) {
        // It may have come to the server since then.
        if (known === old) known = undefined;
        ({ resources, failures } = await discovered());
        found = findResource(resources, name);
      }
      if (found !== undefined) return found;
      const unread = failures.length === 0 ? '' : ` (could not read ${failures.join('; ')})`;
      const words = wordsFor(resources);
      const suggestion = similarTo(name, words) || similarTo(name.split('.', 1)[0] ?? '', words);
      throw new TypeError(`The server has no resource ${JSON.stringify(name)}${suggestion}${unread}`);
    },

    category: async (name) => inCategory((await discovered()).resources, name),

    invalidate() {
      known = undefined;
    },
  };
}
