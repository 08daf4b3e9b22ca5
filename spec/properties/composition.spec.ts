import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BehaviorSubject, concatMap, mergeAll, type Observable, Subject, timer, VirtualTimeScheduler } from 'rxjs';
import type { ResourceChange, SourceEvent } from '../../src/api/events.js';
import { createIndexer } from '../../src/cache/store/createIndexer.js';
import { deltaFifo } from '../../src/delta/fifo/deltaFifo.js';
import { processDeltas } from '../../src/delta/index/processDeltas.js';
import { scanToIndex } from '../../src/delta/index/cache.js';
import { shareWithSnapshot } from '../../src/delta/share/shareWithSnapshot.js';
import { toMap, toObjects } from '../../src/operators/folds/toMap.js';
import { groupByKey } from '../../src/operators/keys/groupByKey.js';
import { pairwiseByKey } from '../../src/operators/keys/pairwiseByKey.js';
import { advanceBy } from '../../src/testing/marbles/advanceBy.js';
import { briefly } from '../../src/testing/marbles/briefly.js';
import { ChangeFold } from '../../src/testing/suites/changeFold.js';
import { History, type HistoryStep, stepsOfNamespaces } from '../delta/histories.js';
import type { Pod } from '../delta/pods.js';
import { type Part, pipelines, predicatesOfPhase, type Stage, type Surroundings, textOf, visibleBehind } from './pipelines.js';
import { runs } from '../tier.js';

const histories = runs(500);
const seed = process.env['COMPOSITION_SEED'];

/** Actions besides the history: `inside` the next change that a subscriber receives, or at once. */
type Step =
  | HistoryStep
  | { readonly type: 'predicate'; readonly which: number; readonly inside: boolean }
  | { readonly type: 'subscribe'; readonly inside: boolean }
  | { readonly type: 'wait'; readonly ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: stepsOfNamespaces },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant<'predicate'>('predicate'),
      which: fc.nat(predicatesOfPhase.length - 1),
      inside: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant<'subscribe'>('subscribe'), inside: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant<'wait'>('wait'), ms: fc.integer({ min: 1, max: 12 }) }) },
);

interface Plan {
  readonly pipeline: readonly Stage[];
  readonly steps: readonly Step[];
  readonly scoped: boolean;
  readonly front: 'scanToIndex' | 'deltaFifo' | 'slow deltaFifo' | 'compressing deltaFifo';
  /** Whether there is a predicate from the beginning. */
  readonly predicate: boolean;
}

const plans: fc.Arbitrary<Plan> = fc.record({
  pipeline: pipelines,
  steps: fc.array(step, { maxLength: 25 }),
  scoped: fc.boolean(),
  front: fc.constantFrom('scanToIndex', 'scanToIndex', 'deltaFifo', 'slow deltaFifo', 'compressing deltaFifo'),
  predicate: fc.boolean(),
});

/** The cache of a run, and its changes. */
function frontOf(
  { front }: Plan,
  source: Observable<SourceEvent<Pod>>,
  scopes: Iterable<string>,
  scheduler: VirtualTimeScheduler,
): { readonly change$: Observable<ResourceChange<Pod>>; readonly keys: () => Iterable<readonly [string, Pod]> } {
  const indexer = createIndexer<Pod>();
  const keys = () => indexer.listKeys().map((key) => [key, indexer.getByKey(key)] as [string, Pod]);
  if (front === 'scanToIndex') return { change$: source.pipe(scanToIndex(indexer, { scopes }), shareWithSnapshot(indexer)), keys };
  const apply = processDeltas<Pod>(indexer);
  const slow = Object.assign((...given: Parameters<typeof apply>) => timer(3, scheduler).pipe(concatMap(() => apply(...given))), apply);
  const compress = front === 'compressing deltaFifo' ? 'latest' : undefined;
  const fifo = deltaFifo<Pod, ResourceChange<Pod>>(front === 'deltaFifo' ? apply : slow, { ...(compress && { compress }) });
  return { change$: source.pipe(fifo, shareWithSnapshot(indexer)), keys };
}

/** One subscriber of a pipeline: it compares output and input at each change. */
class Witness {
  readonly complaints: string[] = [];
  readonly input = new ChangeFold<Pod>();
  readonly output = new ChangeFold<Pod>();
  isOver = false;
  /** What happens inside of its next change. */
  inside: (() => void) | undefined;
  private readonly pipeline: readonly Stage[];
  private readonly visible: readonly Part[];
  private readonly shows: ReturnType<Stage['begin']>['shows'][] = [];
  private readonly isImmediate: boolean;
  /** The past states of the input, in order, if every output must equal one of them. */
  private readonly images: string[] | undefined;
  private imageAt = 0;
  private isReentrant = false;

  constructor(
    changes: Observable<ResourceChange<Pod>>,
    pipeline: readonly Stage[],
    surroundings: Pick<Surroundings, 'scheduler' | 'predicate$'>,
  ) {
    this.pipeline = pipeline;
    this.visible = visibleBehind(pipeline);
    const kinds = pipeline.map(({ kind }) => kind);
    this.isImmediate = pipeline.every(({ restMs }) => restMs === 0);
    const isWhole = !kinds.includes('debounce') && !kinds.slice(kinds.indexOf('conflate')).includes('refilter');
    this.images = this.isImmediate || !isWhole ? undefined : [];
    const entrance = new Subject<ResourceChange<Pod>>();
    const exit = new Subject<ResourceChange<Pod>>();
    this.watchTerminals(exit);
    let out: Observable<ResourceChange<Pod>> = entrance;
    for (const stage of pipeline) {
      const { operator, shows } = stage.begin({
        ...surroundings,
        onPredicate: () => this.images?.push(...this.possibleImages()),
        isReentrant: () => this.isReentrant,
      });
      this.shows.push(shows);
      out = out.pipe(operator);
    }
    out.subscribe({
      next: (change) => {
        this.take(this.output, change, 'output');
        this.checkEmission();
        exit.next(change);
        const { inside } = this;
        this.inside = undefined;
        this.isReentrant ||= inside !== undefined;
        inside?.();
      },
      error: (error: unknown) => this.complaints.push(`failed: ${String(error)}`),
      complete: () => {
        this.isOver = true;
        if (!kinds.includes('end')) this.complaints.push('completed');
      },
    });
    changes.subscribe({
      next: (change) => {
        if (this.isOver) return;
        this.take(this.input, change, 'input');
        this.images?.push(this.image());
        entrance.next(change);
        this.isReentrant = false;
      },
      error: (error: unknown) => this.complaints.push(`the source failed: ${String(error)}`),
    });
  }

  /** What should come out, now or at rest. */
  image(): string {
    return this.possibleImages().at(-1) as string;
  }

  /** What may come out while predicates that came during a change are applied, one filter after the other; the newest is last. */
  private possibleImages(): readonly string[] {
    let choices: readonly (readonly ((object: Pod) => boolean)[])[] = [[]];
    for (const shows of this.shows) choices = choices.flatMap((chosen) => shows().map((passes) => [...chosen, passes]));
    return choices.map((chosen) => {
      const shown = [...this.input.objects].filter(([, object]) => chosen.every((passes) => passes(object)));
      return textOf(shown, this.visible);
    });
  }

  /** Nothing is under way: an operator that holds nothing back owes everything. */
  checkQuiet(): void {
    this.isReentrant = false;
    if (this.isImmediate) this.checkAtRest();
  }

  checkAtRest(): void {
    const [wanted, got] = [this.image(), textOf(this.output.objects, this.visible)];
    if (!this.isOver && wanted !== got) this.complaints.push(`at rest: expected ${wanted}, got ${got}`);
  }

  private checkEmission(): void {
    const got = textOf(this.output.objects, this.visible);
    if (this.isImmediate && !this.possibleImages().includes(got)) this.complaints.push(`shown: ${got} in place of ${this.image()}`);
    if (this.images === undefined) return;
    const at = this.images.indexOf(got, this.imageAt);
    if (at < 0) this.complaints.push(`shown: ${got}, which never was: ${this.images.slice(this.imageAt).join(' | ')}`);
    else this.imageAt = at;
  }

  private take(fold: ChangeFold<Pod>, change: ResourceChange<Pod>, side: string): void {
    const isExact = side === 'input' || !this.visible.every((part) => part !== 'rest');
    for (const event of change.events) {
      if (!isExact || event.type !== 'updated') continue;
      const known = fold.objects.get(event.key);
      if (known !== event.oldObject) this.complaints.push(`${side}: ${briefly(event)} is not from ${briefly(known)}`);
    }
    try {
      fold.apply(change);
    } catch (error) {
      this.complaints.push(`${side}: ${String(error)}`);
    }
  }

  /** Whatever folds the output, or goes by object, says the same. */
  private watchTerminals(exit: Observable<ResourceChange<Pod>>): void {
    const complain = (error: unknown): void => void this.complaints.push(`failed: ${String(error)}`);
    const compare = (name: string, got: Iterable<readonly [string, Pod]>): void => {
      const [wanted, text] = [textOf(this.output.objects, this.visible), textOf(got, this.visible)];
      if (wanted !== text) this.complaints.push(`${name}: expected ${wanted}, got ${text}`);
    };
    const keyed = (objects: readonly Pod[]) =>
      objects.map((object) => [`${object.metadata.namespace}/${object.metadata.name}`, object] as const);
    const grouped = new ChangeFold<Pod>();
    const pairs = new Map<string, unknown>();
    let pairsEmitted = 0;
    let pairsWanted = 0;
    let changesSinceSynced = 0;
    let mapsEmitted = 0;
    exit.pipe(toMap()).subscribe({
      next: (map) => {
        mapsEmitted += 1;
        compare('toMap', map);
      },
      error: complain,
    });
    exit.pipe(toObjects()).subscribe({ next: (objects) => compare('toObjects', keyed(objects)), error: complain });
    exit.pipe(groupByKey(), mergeAll()).subscribe({ next: (event) => grouped.apply(event), error: complain });
    exit.pipe(pairwiseByKey()).subscribe({
      next: ([before, now]) => {
        pairsEmitted += 1;
        if (pairs.get(now.key) !== before) this.complaints.push(`pairwiseByKey: ${briefly(before)}, ${briefly(now)}`);
      },
      error: complain,
    });
    exit.subscribe({
      next: ({ events, synced }) => {
        if (synced || changesSinceSynced > 0) changesSinceSynced += 1;
        if (mapsEmitted !== changesSinceSynced) this.complaints.push(`toMap has emitted ${mapsEmitted} times, not ${changesSinceSynced}`);
        compare('groupByKey', grouped.objects);
        for (const event of events) {
          if (pairs.has(event.key)) pairsWanted += 1;
          if (event.type === 'deleted') pairs.delete(event.key);
          else pairs.set(event.key, event);
        }
        if (pairsEmitted !== pairsWanted) this.complaints.push(`pairwiseByKey has emitted ${pairsEmitted} times, not ${pairsWanted}`);
      },
      error: complain,
    });
  }
}

function run(plan: Plan): void {
  const { pipeline, steps, scoped, predicate } = plan;
  const scheduler = new VirtualTimeScheduler();
  const history = new History(scoped);
  const source = new Subject<SourceEvent<Pod>>();
  const predicate$ = new BehaviorSubject(predicate ? predicatesOfPhase[0] : undefined);
  const { change$, keys } = frontOf(plan, source, history.scopes, scheduler);
  const witnesses: Witness[] = [];
  const subscribe = (): void => void witnesses.push(new Witness(change$, pipeline, { scheduler, predicate$ }));
  const feed = (events: readonly SourceEvent<Pod>[]): void => {
    for (const event of events) {
      source.next(event);
      for (const witness of witnesses) witness.checkQuiet();
    }
  };
  const rest = (): void => advanceBy(scheduler, 200 + pipeline.reduce((sum, { restMs }) => sum + restMs, 0));
  const failed = (): string[] => witnesses.flatMap(({ complaints }, at) => complaints.map((line) => `subscriber ${at}: ${line}`));

  subscribe();
  feed(history.relistAll());
  for (const next of steps) {
    if (next.type === 'wait') advanceBy(scheduler, next.ms);
    else if (next.type === 'predicate' || next.type === 'subscribe') {
      const happen = next.type === 'subscribe' ? subscribe : () => predicate$.next(predicatesOfPhase[next.which]);
      const [first] = witnesses;
      if (next.inside && first !== undefined && !first.isOver) first.inside = happen;
      else happen();
    } else feed(history.apply(next));
    for (const witness of witnesses) witness.checkQuiet();
    if (failed().length > 0) break;
  }
  feed(history.relistAll());
  rest();
  for (const witness of witnesses) witness.checkAtRest();

  expect(failed()).toEqual([]);
  const whole = ['rest'] as const;
  for (const { input, isOver } of witnesses) if (!isOver) expect(textOf(input.objects, whole)).toBe(textOf(keys(), whole));
  expect(textOf(keys(), whole)).toBe(textOf(history.visible(), whole));
  source.complete();
  predicate$.complete();
}

/** A plan in a few lines, for counterexamples. */
function shown({ pipeline, steps, scoped, front, predicate }: Plan): string {
  const source = `${front}${scoped ? ', a scope per namespace' : ''}${predicate ? ', with a predicate' : ''}`;
  return [`${source}: ${pipeline.map(({ name }) => name).join(' | ')}`, ...steps.map((next) => JSON.stringify(next))].join('\n  ');
}

describe('random pipelines of operators over random histories', () => {
  it('show after every change what they should', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        try {
          run(plan);
        } catch (error) {
          throw new Error(`${shown(plan)}\n${(error as Error).message}`, { cause: error });
        }
      }),
      { numRuns: histories, ...(seed !== undefined && { seed: Number(seed) }) },
    );
  }, 600_000);
});
