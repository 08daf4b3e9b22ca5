import type { Observable } from 'rxjs';
import { filterUpdates, generationChanged, resources, type V1DaemonSet, type V1Node, type V1Pod } from 'rx-informer';
import { mappedKeys, type Outcome, ownerKeys } from '@rx-informer/controller';
import { FreshPods } from './freshPods.js';
import { isActive, isServing } from './podState.js';
import { recordEvent } from './recordEvent.js';
import { obstacleOf } from './schedulerLoop.js';
import { dependentsOf, loopOver, podOf, revisionLabel, revisionOf, tolerate, type WorkloadContext } from './workloadContext.js';

/** The taints that the pods of every daemon set tolerate. */
const tolerated = ['not-ready', 'unreachable', 'disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable'].map((taint) => ({
  key: `node.kubernetes.io/${taint}`,
  operator: 'Exists',
}));

/** The pod of a daemon set on a node. */
function daemonOn(set: V1DaemonSet, node: string, name: string): V1Pod {
  const { template } = set.spec ?? {};
  const labels = { ...template?.metadata?.labels, [revisionLabel]: revisionOf(template) };
  const pod = podOf(set, { ...template, metadata: { ...template?.metadata, labels } }, name);
  return { ...pod, spec: { containers: [], ...pod.spec, nodeName: node, tolerations: [...(pod.spec?.tolerations ?? []), ...tolerated] } };
}

function isOutdated(set: V1DaemonSet, { metadata }: V1Pod): boolean {
  return metadata?.labels?.[revisionLabel] !== revisionOf(set.spec?.template);
}

/** The status of a daemon set: `placed` are its pods on the wanted nodes. */
function statusOf(set: V1DaemonSet, wanted: number, placed: readonly V1Pod[], misplaced: number): V1DaemonSet['status'] {
  const ready = placed.filter(isServing).length;
  return {
    currentNumberScheduled: placed.length,
    desiredNumberScheduled: wanted,
    numberMisscheduled: misplaced,
    numberReady: ready,
    numberAvailable: ready,
    numberUnavailable: wanted - ready,
    updatedNumberScheduled: placed.filter((pod) => !isOutdated(set, pod)).length,
    observedGeneration: set.metadata?.generation ?? 0,
  };
}

/** Simulates the controller of daemon sets: one pod on each suitable node, replaced one after the other when the template changes. */
export function daemonSetLoop(context: WorkloadContext): Observable<Outcome> {
  const { client, daemonSets, pods, nodes, scheduler } = context;
  const fresh = new FreshPods(context);
  const { daemonsets } = resources.apps.v1;
  const sources = {
    daemonSets: daemonSets.resource$.pipe(filterUpdates(generationChanged)),
    pods: fresh.noted(pods.resource$).pipe(ownerKeys(daemonsets)),
    nodes: nodes.resource$.pipe(mappedKeys(() => daemonSets.indexer.listKeys())),
  };
  const report = (set: V1DaemonSet, reason: string, message: string): Promise<void> =>
    recordEvent(context, daemonsets, set, { component: 'daemonset-controller', reason, message });
  const remove = async (set: V1DaemonSet, { metadata: { name = '', namespace = '' } = {} }: V1Pod): Promise<void> => {
    if (await tolerate(client.delete(resources.core.v1.pods, name, { namespace })))
      await report(set, 'SuccessfulDelete', `Deleted pod: ${name}`);
  };
  return loopOver(daemonSets, { sources, caches: [daemonSets, pods, nodes], scheduler }, async (set, name, namespace) => {
    // A pod that was just created is on one of the nodes: which one is known when the cache has it.
    if (fresh.pending(set) > 0) return;
    const suits = (node: V1Node): boolean => obstacleOf(daemonOn(set, '', ''), node) === undefined;
    const wanted = new Set(
      nodes.lister
        .list()
        .filter(suits)
        .map(({ metadata }) => metadata?.name ?? ''),
    );
    const dependents = dependentsOf(pods, set);
    const active = dependents.filter(isActive);
    const [placed, misplaced] = [true, false].map((there) => active.filter(({ spec }) => wanted.has(spec?.nodeName ?? '') === there));
    for (const pod of misplaced ?? []) await remove(set, pod);
    const taken = new Set(dependents.filter(({ status }) => status?.phase !== 'Failed').map(({ spec }) => spec?.nodeName));
    for (const node of [...wanted].filter((one) => !taken.has(one)).sort()) {
      const made = await fresh.create(set, (own) => daemonOn(set, node, own));
      if (made !== undefined) await report(set, 'SuccessfulCreate', `Created pod: ${made}`);
    }
    const serving = (placed ?? []).filter(isServing);
    const outdated = serving.find((pod) => isOutdated(set, pod));
    // One at a time: the next one goes when all others serve.
    if (outdated !== undefined && set.spec?.updateStrategy?.type !== 'OnDelete' && serving.length === wanted.size)
      await remove(set, outdated);
    const status = statusOf(set, wanted.size, placed ?? [], misplaced?.length ?? 0);
    await tolerate(client.status.patch(daemonsets, name, 'merge', { status }, { namespace }));
  });
}
