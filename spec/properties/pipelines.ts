import fc from 'fast-check';
import { type BehaviorSubject, filter, type MonoTypeOperatorFunction, type SchedulerLike, tap } from 'rxjs';
import type { ResourceChange } from '../../src/api/events.js';
import { filterObjects, inNamespaces, ofType, ownedBy, withLabels } from '../../src/operators/filters/filterObjects.js';
import {
  allOf,
  anyOf,
  filterUpdates,
  generationChanged,
  labelsChanged,
  noneOf,
  partChanged,
  specChanged,
  statusChanged,
  type UpdatePredicate,
} from '../../src/operators/filters/filterUpdates.js';
import { untilDeleted } from '../../src/operators/filters/untilDeleted.js';
import { conflateByKey } from '../../src/operators/timing/conflateByKey.js';
import { debounceByKey } from '../../src/operators/timing/debounceByKey.js';
import { resync } from '../../src/operators/timing/resync.js';
import { owner } from '../delta/histories.js';
import type { Pod } from '../delta/pods.js';

/** The parts of an object that a filter reads, or that an update predicate keeps up to date. */
export type Part = 'labels' | 'owner' | 'phase' | 'size' | 'rest';
const parts: readonly Part[] = ['labels', 'owner', 'phase', 'size', 'rest'];

/** The text of one part of an object. */
export function partOf(object: Pod, part: Part): string {
  const { metadata, spec, status } = object;
  const values = {
    labels: metadata.labels?.['app'],
    owner: metadata.ownerReferences?.map(({ uid }) => uid).join(),
    phase: status?.phase,
    size: spec?.size,
    rest: metadata.resourceVersion,
  };
  return String(values[part]);
}

type Operator = MonoTypeOperatorFunction<ResourceChange<Pod>>;
type Passes = (object: Pod) => boolean;

/** What an operator needs from the run that it is in. */
export interface Surroundings {
  readonly scheduler: SchedulerLike;
  /** Where the predicates come from that change. */
  readonly predicate$: BehaviorSubject<Passes | undefined>;
  /** Called when an operator gets another predicate. */
  readonly onPredicate: () => void;
  /** Whether a subscriber has acted inside of a change that is still under way. */
  readonly isReentrant: () => boolean;
}

/** One operator of a pipeline, and its claimed properties. */
export interface Stage {
  readonly name: string;
  /**
   * Creates the operator for one subscriber. `shows` lists the functions of which one tells which objects the operator shows at this moment, the newest last:
   * a predicate that comes during a change is applied in a turn after it, so there can be several.
   */
  // eslint-disable-next-line rxjs-x/finnish -- it is an operator, and no stream
  readonly begin: (surroundings: Surroundings) => { readonly operator: Operator; readonly shows: () => readonly Passes[] };
  readonly looksAt: readonly Part[];
  /** The parts that stay up to date behind it. */
  readonly keeps: readonly Part[];
  /** How long it holds something back at most. */
  readonly restMs: number;
  readonly kind: 'filter' | 'refilter' | 'conflate' | 'debounce' | 'end' | 'other';
}

const everything = (): boolean => true;
const nothing = (): boolean => false;
const phases = ['Pending', 'Running', 'Failed'];

const stage = (
  name: string,
  operator: (surroundings: Surroundings) => Operator,
  rest: Partial<Stage> & { readonly shows?: Passes } = {},
): Stage => {
  const { shows = everything, ...claims } = rest;
  return {
    name,
    begin: (surroundings) => ({ operator: operator(surroundings), shows: () => [shows] }),
    looksAt: [],
    keeps: parts,
    restMs: 0,
    kind: 'other',
    ...claims,
  };
};

const updates = (name: string, predicate: UpdatePredicate<Pod>, keeps: readonly Part[]): Stage =>
  stage(`filterUpdates(${name})`, () => filterUpdates(predicate), { keeps });

const refilter: Stage = {
  ...stage('filterObjects(predicates)', () => (source) => source, { kind: 'refilter', looksAt: ['phase'] }),
  begin: ({ predicate$, onPredicate, isReentrant }) => {
    let heard: readonly Passes[] = [nothing];
    const heard$ = predicate$.pipe(
      filter((passes) => passes !== undefined),
      tap((passes) => {
        heard = isReentrant() ? [...heard, passes] : [passes];
        onPredicate();
      }),
    );
    return { operator: filterObjects(heard$), shows: () => (isReentrant() ? heard : heard.slice(-1)) };
  },
};

const inN = stage("inNamespaces('n')", () => inNamespaces('n'), { kind: 'filter', shows: ({ metadata }) => metadata.namespace === 'n' });

const stages: readonly Stage[] = [
  inN,
  stage("withLabels('app=web')", () => withLabels('app=web'), {
    kind: 'filter',
    looksAt: ['labels'],
    shows: (object) => partOf(object, 'labels') === 'web',
  }),
  stage('filterObjects(phase)', () => filterObjects((object) => object.status?.phase === 'Running'), {
    kind: 'filter',
    looksAt: ['phase'],
    shows: (object) => partOf(object, 'phase') === 'Running',
  }),
  stage('ownedBy(owner)', () => ownedBy(owner), {
    kind: 'filter',
    looksAt: ['owner'],
    shows: ({ metadata }) => metadata.ownerReferences?.length === 1,
  }),
  refilter,
  stage('conflateByKey', ({ scheduler }) => conflateByKey({ periodMs: 7, scheduler }), { kind: 'conflate', restMs: 7 }),
  stage('debounceByKey', ({ scheduler }) => debounceByKey({ dueMs: 4, maxWaitMs: 11, scheduler }), { kind: 'debounce', restMs: 11 }),
  stage('resync', ({ scheduler }) => resync({ periodMs: 9, scheduler })),
  stage('ofType(all)', () => ofType('added', 'updated', 'deleted')),
  stage('untilDeleted(n/a)', () => untilDeleted('n/a'), { kind: 'end' }),
  updates('labelsChanged', labelsChanged, ['labels']),
  updates('statusChanged', statusChanged, ['phase']),
  updates('specChanged', specChanged, ['size']),
  updates('generationChanged', generationChanged, ['size']),
  updates('allOf(specChanged, noneOf(labelsChanged))', allOf(specChanged, noneOf(labelsChanged)), []),
  updates(
    'anyOf',
    anyOf(
      labelsChanged,
      specChanged,
      statusChanged,
      partChanged((object: Pod) => object.metadata.ownerReferences),
    ),
    ['labels', 'owner', 'phase', 'size'],
  ),
];

/** Predicates for the one operator whose predicate changes. */
export const predicatesOfPhase: readonly Passes[] = [
  everything,
  ...phases.map(
    (phase): Passes =>
      (object) =>
        partOf(object, 'phase') === phase,
  ),
];

/** A filter after an update predicate must not read parts for which that predicate drops updates. */
function sensible(chosen: readonly Stage[]): readonly Stage[] {
  let visible = parts;
  return chosen.map((next) => {
    const usable = next.looksAt.every((part) => visible.includes(part)) ? next : inN;
    visible = visible.filter((part) => usable.keeps.includes(part));
    return usable;
  });
}

/** One to four operators. */
export const pipelines: fc.Arbitrary<readonly Stage[]> = fc.array(fc.constantFrom(...stages), { minLength: 1, maxLength: 4 }).map(sensible);

/** Keys and the up-to-date parts of their objects after all of these stages, as text. */
export function textOf(objects: Iterable<readonly [string, Pod]>, visible: readonly Part[]): string {
  return [...objects]
    .map(([key, object]) => `${key}(${visible.map((part) => partOf(object, part)).join(' ')})`)
    .sort()
    .join(' ');
}

/** The parts that are up to date after all of these stages. */
export function visibleBehind(pipeline: readonly Stage[]): readonly Part[] {
  return parts.filter((part) => pipeline.every(({ keeps }) => keeps.includes(part)));
}
