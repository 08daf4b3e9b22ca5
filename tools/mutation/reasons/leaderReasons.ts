import type { Reason } from './reason.js';

const record = 'controller/shards/shardRecord.ts';
const plan = 'controller/shards/nextRecord.ts';

export const leaderReasons: readonly Reason[] = [
  {
    file: 'controller/leader/electionStep.ts',
    originals: ["'idle'", "'reading'", "'continuing'"],
    reason: 'equivalent: only `renewing` and `taking` are looked for, the others are names for readers',
  },
  {
    file: 'controller/leader/electionStep.ts',
    originals: ['seen === undefined', 'false'],
    reason: 'equivalent: it is asked of a lease that has been read',
  },
  {
    file: 'controller/shards/nextRecord.ts',
    originals: ["plan[slot] ?? ''", "''"],
    reason: 'equivalent: the plan has every slot; the types do not know that',
  },
  { file: plan, originals: ['a < b'], reason: 'equivalent: members are named once, and any order does that all agree on' },
  {
    file: plan,
    originals: ['counts.get(owner) ?? 0', 'wanted.get(member) ?? 0'],
    reason: 'equivalent: every member has a count; the types do not know that',
  },
  {
    file: record,
    originals: ["metadata?.annotations?.[recordAnnotation] ?? ''", 'metadata?.annotations?.[recordAnnotation]', "''"],
    reason: 'equivalent: what cannot be read is no record, and what throws cannot be read',
  },
  { file: record, originals: ['places.get(owner) ?? 0'], reason: 'equivalent: every owner has a place; the types do not know that' },
  {
    file: 'api/shardFilter.ts',
    originals: ['slot < slotCount'],
    replacement: 'slot <= slotCount',
    reason: 'equivalent: no set has a slot above the last one',
  },
];
