import type { Survivor } from './targetResult.js';

/** Why a mutant may live, by what stood there and what stands there instead; an absent `replacement` means any. */
interface Reason {
  readonly file: string;
  readonly original: string;
  readonly replacement?: string;
  readonly reason: string;
}

const folds = 'src/operators/folds';
const refilter = 'src/operators/filters/filterObjects.ts';
const timing = 'src/operators/timing';
const readiness = 'src/operators/readiness/isReady.ts';
const observed = 'equivalent: what has no status is not observed, and decided before';

const reasons: readonly Reason[] = [
  ...[
    'object.status?.replicas',
    'object.status?.readyReplicas',
    'status?.replicas',
    'status?.updatedReplicas',
    'status?.numberAvailable',
  ].map((original) => ({ file: readiness, original, reason: observed })),
  { file: readiness, original: "status?.phase ?? ''", reason: 'equivalent: no rule has an empty phase' },
  { file: readiness, original: '[]', reason: 'equivalent: without a rule the group does not matter' },
  { file: readiness, original: "''", reason: 'equivalent: no rule has a phase or a kind of that name' },
  {
    file: 'src/operators/filters/ownedBy.ts',
    original: 'object.metadata?.ownerReferences?.some((reference) => reference.uid === uid) ?? false',
    reason: 'equivalent: undefined is no yes either',
  },
  ...[
    "typeof a !== 'object' || typeof b !== 'object' || a === null || b === null",
    "typeof a !== 'object' || typeof b !== 'object' || a === null",
    "typeof a !== 'object' || typeof b !== 'object'",
    'Array.isArray(a) || Array.isArray(b)',
  ].map((original) => ({
    file: `${folds}/isEqualJson.ts`,
    original,
    reason: 'equivalent: what is no plain object is unequal a line below',
  })),
  { file: `${folds}/isEqualJson.ts`, original: 'at < a.length', replacement: 'at <= a.length', reason: 'equivalent: both end there' },
  {
    file: `${folds}/toMap.ts`,
    original: "''",
    reason: 'equivalent: any version will do that stays the same; the map before the first change is not emitted',
  },
  ...["value.type === 'synced'", "'synced'"].map((original) => ({
    file: 'src/operators/changes/mapEvents.ts',
    original,
    reason: 'equivalent: both mappers that there are return what is `synced` as it is',
  })),
  {
    file: refilter,
    original: 'this.passes?.(object) ?? false',
    replacement: 'this.passes?.(object)',
    reason: 'equivalent: undefined is no yes either',
  },
  { file: refilter, original: 'this.passes?.(object)', reason: 'equivalent: nothing is looked at before the first predicate' },
  ...["'updated'", 'false'].map((original) => ({
    file: refilter,
    original,
    reason: 'equivalent: only what it becomes is emitted, an addition or a deletion',
  })),
  {
    file: `${timing}/debounceByKey.ts`,
    original: 'false',
    replacement: 'true',
    reason: 'equivalent: each change sets it before it is read',
  },
  { file: `${timing}/debounceByKey.ts`, original: '[]', reason: 'equivalent: `changeWith` puts other events in their place' },
  {
    file: `${timing}/resync.ts`,
    original: 'false',
    replacement: 'true',
    reason: 'equivalent: before the first change, which sets it, there are no objects',
  },
  {
    file: 'src/operators/keys/groupByKey.ts',
    original: 'ends.delete(event.key);',
    reason: 'a leak: spec/leaks finds it, which is not in this run',
  },
];

/** Why a survivor may live, undefined where nobody has said so. */
export function reasonOf({ file, original, replacement }: Survivor): string | undefined {
  return reasons.find((one) => one.file === file && one.original === original && (one.replacement ?? replacement) === replacement)?.reason;
}
