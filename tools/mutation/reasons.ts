import type { Survivor } from './targetResult.js';

/** Why a mutant may live, by what stood there and what stands there instead; an absent `replacement` means any. */
interface Reason {
  readonly file: string;
  readonly original: string;
  readonly replacement?: string;
  readonly reason: string;
}

const folds = 'src/operators/folds';
const readiness = 'src/operators/readiness/isReady.ts';
const observed = 'equivalent: what has no status is not observed, and decided before';

const reasons: readonly Reason[] = [
  ...[
    'object.status?.replicas',
    'object.status?.readyReplicas',
    'status?.availableReplicas',
    'status?.replicas',
    'status?.updatedReplicas',
  ].map((original) => ({ file: readiness, original, reason: observed })),
  { file: readiness, original: 'status?.numberAvailable', reason: observed },
  { file: readiness, original: "status?.phase ?? ''", reason: 'equivalent: no rule has an empty phase' },
  { file: readiness, original: "''", reason: 'equivalent: no rule has a phase of that name' },
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
