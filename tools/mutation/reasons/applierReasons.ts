import type { Reason } from './reason.js';

const folder = 'delta/index';
const session = `${folder}/storeIntake.ts`;
const onlyTime = 'equivalent but for time: the other way leads to the same';

export const applierReasons: readonly Reason[] = [
  { file: session, originals: ['this.unready.size === 0'], replacement: 'false', reason: onlyTime },
  { file: `${folder}/listDifference.ts`, originals: ['isWithoutDeletes'], replacement: 'false', reason: onlyTime },
  { file: `${folder}/identity.ts`, originals: ['!transformed'], replacement: 'false', reason: onlyTime },
  {
    file: `${folder}/identity.ts`,
    originals: ['own.uid === identity.uid && own.resourceVersion === identity.resourceVersion'],
    replacement: 'false',
    reason: 'equivalent but for memory: what the value tells is remembered as well',
  },
  { file: `${folder}/identity.ts`, originals: ['this.deleted.length === 0'], replacement: 'false', reason: onlyTime },
  {
    file: `${folder}/intake.ts`,
    originals: [
      '{ identities: createIdentityMemory(false), staged: undefined }',
      '{ return { identities: createIdentityMemory(false), staged: undefined }; }',
      'false',
    ],
    reason: 'equivalent: what writes to a store has its own, and a queue asks for none',
  },
  {
    file: `${folder}/intake.ts`,
    originals: ['!stays'],
    replacement: 'true',
    reason: 'equivalent: what another scope holds is found missing by the list of that one',
  },
  { file: `${folder}/scanToIndex.ts`, originals: ['!goesOn && begun === undefined'], replacement: 'false', reason: onlyTime },
  {
    file: session,
    originals: [
      'half.staged?.put(value, key);',
      '{ try { half.staged?.put(value, key); } catch { // The store will refuse the whole list for the same reason, and the ...',
      '{ for (const [key, value] of kept) stageValue(half, key, value); const { staged } = half; const isFit = staged?.whole...',
      'staged ?? this.contentWith(half, kept, vanished)',
      'staged?.whole === false || this.isAlone()',
      'this.isAlone()',
      'this.degraded.size === 0',
    ],
    reason: onlyTime,
  },
  {
    file: session,
    originals: ['isFit && staged?.objects.size === size'],
    replacement: 'false',
    reason: onlyTime,
  },
  {
    file: session,
    originals: ['reason === undefined'],
    replacement: 'false',
    reason: 'equivalent: a reason that is undefined is none',
  },
  { file: `${folder}/processDeltas.ts`, originals: ['steps.length < 2'], replacement: 'false', reason: onlyTime },
  { file: `${folder}/scanToIndex.ts`, originals: ['reports.length > 0'], reason: onlyTime },
  { file: `${folder}/intake.ts`, originals: ['present.length === matches'], replacement: 'false', reason: onlyTime },
  { file: session, originals: ['options.known ?? false'], reason: 'equivalent: undefined is no as well' },
  {
    file: session,
    originals: ['value === failed'],
    replacement: 'true',
    reason: 'equivalent but for memory: the same key is kept a second time',
  },
  {
    file: session,
    originals: ["seen !== '' && listVersion !== '' && seen !== listVersion", "seen !== '' && listVersion !== ''", "''"],
    reason: onlyTime,
  },
  {
    file: session,
    originals: ['(compareResourceVersions(listVersion, seen) ?? -1) < 0'],
    replacement: '(compareResourceVersions(listVersion, seen) ?? -1) <= 0',
    reason: 'equivalent: equal versions are not compared',
  },
  {
    file: session,
    originals: ['staged?.whole === true && staged.verbatim'],
    replacement: 'false',
    reason: onlyTime,
  },
  {
    file: session,
    originals: ['half.staged?.remove(key);', 'stageValue(half, key, value);', 'half.staged = undefined;'],
    reason:
      'equivalent but for time: what is staged is used only if it has as many objects as the list, and is put in one by one otherwise',
  },
  {
    file: session,
    originals: ['half.staged?.put(value, key)'],
    reason: 'equivalent: what throws is caught, and nothing is staged any more',
  },
  {
    file: session,
    originals: ['half.identities.forget(key);'],
    reason: 'equivalent but for memory: what comes under that key again replaces it',
  },
  { file: session, originals: ['half.untransformed.clear();'], reason: 'equivalent: the list is over' },
  { file: session, originals: ['[]'], reason: 'equivalent: the store has nothing under that key' },
  {
    file: session,
    originals: ['!this.transformed && this.inherited.size === 0'],
    reason: onlyTime,
  },
  {
    file: session,
    originals: ['before !== undefined && this.transformed'],
    replacement: 'before !== undefined || this.transformed',
    reason: onlyTime,
  },
  {
    file: `${folder}/listDifference.ts`,
    originals: ['listed === failed'],
    replacement: 'false',
    reason: 'equivalent: what could not be transformed has no identity, and is not made anew',
  },
  {
    file: `${folder}/objectIntake.ts`,
    originals: ['previous === undefined || comesShared'],
    reason: 'equivalent: nothing is shared with nothing',
  },
  {
    file: `${folder}/processDeltas.ts`,
    originals: ["events.every((event) => event.type === 'updated' && event.resync)"],
    reason: 'equivalent: the deltas of one object come to one event, or to a deletion and an addition',
  },
  {
    file: `${folder}/scanToIndex.ts`,
    originals: ['options.onError?.(error)'],
    reason: 'fails outside of any test, which Jest notices and this run does not',
  },
  {
    file: `${folder}/storeIntake.ts`,
    originals: ['isMissed'],
    replacement: 'false',
    reason: 'the version of a deletion that was missed, which every caller but a bare `processDeltas` gives itself',
  },
  {
    file: session,
    originals: ['staged?.objects.size === size'],
    replacement: 'staged?.objects.size !== size',
    reason: 'equivalent but for time: what a store stages has as many objects as the list, and is put in one by one then',
  },
  {
    file: session,
    originals: ['isStaged'],
    replacement: 'true',
    reason: 'equivalent: where the whole content is published, what is gone is not in it',
  },
  {
    file: session,
    originals: ['!isStaged'],
    replacement: 'true',
    reason: 'equivalent: what has been staged is published a line above; the types do not know that',
  },
  { file: session, originals: ['this.inheritedVersion = store.lastStoreSyncResourceVersion();'], reason: onlyTime },
  {
    file: session,
    originals: ['this.inherited.delete(key);'],
    reason: 'equivalent: what is gone and comes again is an addition, whether it was told before or not',
  },
  { file: session, originals: ["event.type === 'deleted'"], replacement: 'true', reason: 'equivalent: a removal brings no other event' },
  {
    file: session,
    originals: ['scope.resourceVersion || previousResourceVersion'],
    reason: 'equivalent with every source that there is: its list says the version that it has reached',
  },
];
