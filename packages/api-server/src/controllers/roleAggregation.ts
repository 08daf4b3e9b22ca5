import { parseLabelSelector } from 'rx-informer/pipeline';
import { applyConfiguration } from '../apply/applyConfiguration.js';
import { rolesGroup } from '../auth/roleAccess.js';
import type { Cluster } from '../cluster.js';
import { asJsonObject, isEqualJson, listAt, type Json } from '../json.js';
import { valuesBetween } from '../store/orderedMap.js';
import type { StoredContent, StoredObject } from '../store/storedObject.js';
import { documentOf } from '../write/documentOf.js';
import { updateObject } from '../write/updateObject.js';

const roles = `${rolesGroup}/clusterroles`;
const manager = 'clusterrole-aggregation-controller';

/** The rules that a ClusterRole must have by its selectors, without duplicates; undefined if it has them, or if it does not aggregate. */
function missingRules(role: StoredContent, all: readonly StoredContent[]): readonly Json[] | undefined {
  const { aggregationRule } = role;
  if (aggregationRule === undefined || aggregationRule === null) return undefined;
  const gathered: Json[] = [];
  for (const clause of listAt(aggregationRule, 'clusterRoleSelectors')) {
    const selector = parseLabelSelector(asJsonObject(clause));
    for (const { metadata, rules } of all) {
      if (metadata.name === role.metadata.name || !selector.matches(metadata.labels ?? {})) continue;
      for (const rule of listAt(rules)) if (!gathered.some((one) => isEqualJson(one, rule))) gathered.push(rule);
    }
  }
  return isEqualJson(gathered, listAt(role, 'rules')) ? undefined : gathered;
}

/** ClusterRoles, in the order of their names, with the rules that they gather, also from each other. */
export function withGatheredRules(all: readonly StoredContent[]): readonly StoredContent[] {
  const settled = [...all];
  // As many rounds as the longest chain may have; roles that gather from each other in a circle may never agree.
  for (let round = 0, changed = true; changed && round < all.length; round += 1) {
    changed = false;
    for (const [at, role] of settled.entries()) {
      const rules = missingRules(role, settled);
      if (rules === undefined) continue;
      settled[at] = { ...role, rules };
      changed = true;
    }
  }
  return settled;
}

function gather(cluster: Cluster): void {
  const resource = cluster.kinds.find(`${rolesGroup}/v1`, 'clusterroles');
  // Before the first request for roles there is no bucket; its roles then have their gathered rules from the start.
  const bucket = [...cluster.store.allBuckets()].find(({ id }) => id === roles);
  if (resource === undefined || bucket === undefined) return;
  const all: readonly StoredObject[] = [...valuesBetween(bucket.root)];
  const settled = withGatheredRules(all.map(({ content }) => content));
  for (const [at, role] of all.entries()) {
    const rules = listAt(settled[at], 'rules');
    if (settled[at] === role.content) continue;
    const { kind, groupVersion: apiVersion } = resource;
    const applied = { kind, apiVersion, metadata: { name: role.name }, ...(rules.length > 0 && { rules }) };
    const live = documentOf(resource, role);
    const object = applyConfiguration(cluster, { resource, live, applied, manager, subresource: '', force: true });
    const target = { resource, namespace: '', name: role.name };
    updateObject(cluster, target, role, object, { dryRun: false, applied: true, subresource: '', patch: true });
  }
}

/** Writes the rules of the matching ClusterRoles into those that aggregate them, as kube-controller-manager does. */
export function aggregateRoles(cluster: Cluster): void {
  let due = false;
  const gatherSoon = (): void => {
    if (due) return;
    due = true;
    // After the answer to the write that triggers this. The writes of `gather` trigger it again, and then nothing changes.
    setImmediate(() => {
      gather(cluster);
      due = false;
    });
  };
  gather(cluster);
  cluster.store.onReplace(gatherSoon);
  cluster.store.onChange(({ id }) => {
    if (id === roles) gatherSoon();
  });
}
