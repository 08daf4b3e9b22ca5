import type { V1Deployment, V1ReplicaSet } from 'rx-informer';

/** The desired number of pods of a deployment or a set. */
export const wantedBy = ({ spec }: V1Deployment | V1ReplicaSet): number => spec?.replicas ?? 1;
const availableOf = ({ status }: V1ReplicaSet): number => status?.availableReplicas ?? status?.readyReplicas ?? 0;
/** The sum of a count over several sets. */
export const sumOf = (sets: readonly V1ReplicaSet[], count: (set: V1ReplicaSet) => number): number =>
  sets.reduce((total, set) => total + count(set), 0);

function share(value: number | string | undefined, of: number, round: (value: number) => number): number {
  const given = value ?? '25%';
  return typeof given === 'number' ? given : round((Number.parseInt(given, 10) / 100) * of);
}

/** The maximum number of pods above the desired number, and below it. */
export function limitsOf({ spec }: V1Deployment): { readonly maxSurge: number; readonly maxUnavailable: number } {
  const wanted = spec?.replicas ?? 1;
  if (spec?.strategy?.type === 'Recreate') return { maxSurge: 0, maxUnavailable: wanted };
  const { maxSurge, maxUnavailable } = spec?.strategy?.rollingUpdate ?? {};
  const [surge, missing] = [share(maxSurge, wanted, Math.ceil), Math.min(share(maxUnavailable, wanted, Math.floor), wanted)];
  // With both 0, a rollout could not progress.
  return { maxSurge: surge, maxUnavailable: surge === 0 && missing === 0 ? Math.min(1, wanted) : missing };
}

/** The next desired number of pods of each set. */
export interface RolloutPlan {
  /** For the set with the current template, which may not exist yet. */
  readonly current: number;
  readonly old: ReadonlyMap<V1ReplicaSet, number>;
}

/** Oldest first: old sets are scaled down in this order. */
const byAge = (a: V1ReplicaSet, b: V1ReplicaSet): number =>
  (a.metadata?.creationTimestamp ?? '').localeCompare(b.metadata?.creationTimestamp ?? '') ||
  (a.metadata?.name ?? '').localeCompare(b.metadata?.name ?? '');

/** The plan of the strategy Recreate: all old pods end before the first new one starts. */
function recreation(wanted: number, current: V1ReplicaSet | undefined, old: readonly V1ReplicaSet[]): RolloutPlan {
  const areGone = old.every((set) => wantedBy(set) === 0 && (set.status?.replicas ?? 0) === 0);
  const begun = current === undefined ? 0 : wantedBy(current);
  return { current: areGone ? wanted : Math.min(begun, wanted), old: new Map(old.map((set) => [set, 0])) };
}

/**
 * The next step of a rollout, by the rules of the deployment controller: it adds new pods within `maxSurge`, and removes old pods, first
 * unavailable ones, then as many as `maxUnavailable` allows. If the template changes during a rollout, the set of the previous template
 * becomes an old one.
 */
export function rolloutPlan(deployment: V1Deployment, current: V1ReplicaSet | undefined, others: readonly V1ReplicaSet[]): RolloutPlan {
  const wanted = wantedBy(deployment);
  const old = [...others].sort(byAge);
  if (deployment.spec?.strategy?.type === 'Recreate') return recreation(wanted, current, old);
  const { maxSurge, maxUnavailable } = limitsOf(deployment);
  const has = current === undefined ? 0 : wantedBy(current);
  const total = has + sumOf(old, wantedBy);
  const next = has >= wanted ? wanted : Math.min(wanted, has + Math.max(0, wanted + maxSurge - total));
  const counts = new Map(old.map((set) => [set, wantedBy(set)]));
  const least = wanted - maxUnavailable;
  const newMissing = current === undefined ? 0 : Math.max(0, has - availableOf(current));
  let room = Math.max(0, total - least - newMissing);
  for (const set of old) {
    const gone = Math.min(Math.max(0, wantedBy(set) - availableOf(set)), room);
    counts.set(set, wantedBy(set) - gone);
    room -= gone;
  }
  const available =
    (current === undefined ? 0 : Math.min(availableOf(current), has)) + sumOf(old, (set) => Math.min(availableOf(set), wantedBy(set)));
  let spare = Math.max(0, available - least);
  for (const set of old) {
    const left = counts.get(set) ?? 0;
    const gone = Math.min(left, spare, Math.min(availableOf(set), wantedBy(set)));
    counts.set(set, left - gone);
    spare -= gone;
  }
  return { current: next, old: counts };
}
