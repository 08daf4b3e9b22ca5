import type { Reason } from './reason.js';

const refilter = 'operators/filters/filterObjects.ts';
const readiness = 'operators/readiness/isReady.ts';

export const operatorReasons: readonly Reason[] = [
  {
    file: 'operators/folds/isEqualJson.ts',
    originals: ['depth > deepest'],
    replacement: 'depth >= deepest',
    reason: 'equivalent: from which depth on pairs are queued makes no difference',
  },
  {
    file: readiness,
    originals: [
      'object.status?.replicas',
      'object.status?.readyReplicas',
      'status?.replicas',
      'status?.updatedReplicas',
      'status?.numberAvailable',
    ],
    reason: 'equivalent: what has no status is not observed, and decided before',
  },
  { file: readiness, originals: ["status?.phase ?? ''"], reason: 'equivalent: no rule has an empty phase' },
  { file: readiness, originals: ['[]'], reason: 'equivalent: without a rule the group does not matter' },
  { file: readiness, originals: ["''"], reason: 'equivalent: no rule has a phase or a kind of that name' },
  {
    file: 'operators/filters/filterObjects.ts',
    originals: ['object.metadata?.ownerReferences?.some((reference) => reference.uid === uid) ?? false'],
    reason: 'equivalent: undefined is no yes either',
  },
  {
    file: 'operators/folds/isEqualJson.ts',
    originals: [
      "typeof a !== 'object' || typeof b !== 'object' || a === null || b === null",
      "typeof a !== 'object' || typeof b !== 'object' || a === null",
      "typeof a !== 'object' || typeof b !== 'object'",
      'Array.isArray(a) || Array.isArray(b)',
    ],
    reason: 'equivalent: what is no plain object is unequal a line below',
  },
  {
    file: 'operators/folds/isEqualJson.ts',
    originals: ['at < a.length'],
    replacement: 'at <= a.length',
    reason: 'equivalent: both end there',
  },
  {
    file: 'operators/folds/toMap.ts',
    originals: ["''"],
    reason: 'equivalent: any version will do that stays the same; the map before the first change is not emitted',
  },
  {
    file: 'operators/changes/changeOrEvent.ts',
    originals: ["value.type === 'synced'", "'synced'"],
    reason: 'equivalent: both mappers that there are return what is `synced` as it is',
  },
  {
    file: refilter,
    originals: ['this.passes?.(object) ?? false'],
    replacement: 'this.passes?.(object)',
    reason: 'equivalent: undefined is no yes either',
  },
  { file: refilter, originals: ['this.passes?.(object)'], reason: 'equivalent: nothing is looked at before the first predicate' },
  {
    file: refilter,
    originals: ["'updated'", 'false'],
    reason: 'equivalent: only what it becomes is emitted, an addition or a deletion',
  },
  {
    file: 'operators/timing/debounceByKey.ts',
    originals: ['false'],
    replacement: 'true',
    reason: 'equivalent: each change sets it before it is read',
  },
  {
    file: 'operators/timing/debounceByKey.ts',
    originals: ['[]'],
    reason: 'equivalent: `changeWith` puts other events in their place',
  },
  {
    file: 'operators/timing/resync.ts',
    originals: ['false'],
    replacement: 'true',
    reason: 'equivalent: before the first change, which sets it, there are no objects',
  },
  {
    file: 'operators/keys/groupByKey.ts',
    originals: ['ends.delete(event.key);'],
    reason: 'a leak: spec/leaks finds it, which is not in this run',
  },
];
