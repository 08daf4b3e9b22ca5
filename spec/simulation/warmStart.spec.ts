import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { of, VirtualTimeScheduler } from 'rxjs';
import type { KubernetesObject } from '../../src/api/kubernetesObject.js';
import type { V1ConfigMap } from '../../src/api/kubernetes/coreV1.js';
import type { ListerWatcher } from '../../src/api/listerWatcher.js';
import { resources } from '../../src/api/resources.js';
import { createInformer } from '../../src/informer/createInformer.js';
import type { InformerClient } from '../../src/informer/parts/part.js';
import type { SharedInformer } from '../../src/informer/sharedInformer.js';
import { verification } from '../../src/informer/verify/verifier.js';
import type { SavedSnapshot, SnapshotStore } from '../../src/informer/warm/snapshotStore.js';
import { warmStart } from '../../src/informer/warm/warmStart.js';
import { advanceBy } from '../../src/testing/marbles/advanceBy.js';
import type { FakeListerWatcherOptions } from '../../src/testing/fakes/fakeListerWatcher.js';
import { seededRandom } from '../../src/testing/fakes/randomHistory.js';
import { Fold } from './fold.js';
import { serverOptions, SimulatedServer, step, type Step } from './simulatedServer.js';
import { runs } from '../tier.js';

const { configmaps } = resources.core.v1;
const utf8 = new TextEncoder();

/** What happens to the program; the others happen to the server. */
interface ProgramStep {
  readonly do: 'begin' | 'finish' | 'kill' | 'join' | 'leave' | 'damage';
}

interface Plan {
  readonly server: FakeListerWatcherOptions;
  readonly namespace: string | readonly string[];
  readonly steps: readonly { readonly afterMs: number; readonly turns: number; readonly step: Step | ProgramStep }[];
  readonly chance: number;
  readonly verified: boolean;
  readonly relistPeriodMs: number;
}

const programStep: fc.Arbitrary<ProgramStep> = fc.record({
  do: fc.constantFrom('begin', 'begin', 'begin', 'finish', 'kill', 'join', 'leave', 'damage'),
});
const plan: fc.Arbitrary<Plan> = fc.record({
  server: serverOptions,
  namespace: fc.constantFrom<string | readonly string[]>('', 'one', ['one', 'two'], ['one', 'two']),
  steps: fc.array(
    fc.record({
      afterMs: fc.constantFrom(0, 0, 0, 1, 400, 3_000, 20_000, 70_000),
      turns: fc.constantFrom(0, 1, 3, 30),
      step: fc.oneof<fc.Arbitrary<Step | ProgramStep>[]>(step, programStep),
    }),
    { maxLength: 40 },
  ),
  chance: fc.integer(),
  verified: fc.boolean(),
  relistPeriodMs: fc.constantFrom(0, 0, 5_000),
});

const make = (namespace: string, name: string, value: number): V1ConfigMap => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap' },
  metadata: { namespace, name },
  data: { value: String(value) },
});

const described = (objects: Iterable<KubernetesObject>): string[] =>
  [...objects]
    .map(({ metadata: { namespace, name, uid, resourceVersion } = {} }) => [namespace, name, uid, resourceVersion].join(' '))
    .sort();

/** A version, and the JSON of each object. */
type SavedScope = readonly [version: string, objects: ReadonlyMap<string, string>];

/** A disk with one snapshot. */
class Disk {
  isDamaged = false;
  private saved: { readonly identity: string; readonly scopes: ReadonlyMap<string, SavedScope> } | undefined;

  /** @param content - called with what is written. */
  store(isAlive: () => boolean, content: (scope: string, version: string, objects: readonly KubernetesObject[]) => void): SnapshotStore {
    return {
      open: (identity) => of(this.saved?.identity === identity ? this.opened() : undefined),
      save: ({ identity, scopes }) => {
        if (!isAlive()) return of(undefined);
        this.isDamaged = false;
        const written = [...scopes].map(([scope, { resourceVersion, objects }]) => {
          const all = [...objects];
          content(
            scope,
            resourceVersion,
            all.map(([, object]) => object),
          );
          return [scope, [resourceVersion, new Map(all.map(([key, object]) => [key, JSON.stringify(object)]))]] as const;
        });
        this.saved = { identity, scopes: new Map(written) };
        return of(undefined);
      },
    };
  }

  private opened(): SavedSnapshot {
    const scopes = this.saved?.scopes ?? new Map<string, SavedScope>();
    const texts = new Map([...scopes.values()].flatMap(([, objects]) => [...objects]));
    const bytesOf = (text = ''): Uint8Array => {
      if (this.isDamaged) throw new Error('damaged');
      return utf8.encode(text);
    };
    return {
      savedAt: 0,
      resourceVersions: new Map([...scopes].map(([scope, [version]]) => [scope, version])),
      keys: () => [...texts.keys()],
      read: (key) => (texts.has(key) ? bytesOf(texts.get(key)) : undefined),
      readAll: async function* (scope) {
        for (const text of scopes.get(scope)?.[1].values() ?? []) yield await Promise.resolve(bytesOf(text));
      },
      close: () => undefined,
    };
  }
}

/** A program that is started, stopped and killed while its server changes, and its disk. */
class Simulation {
  private readonly complaints: string[] = [];
  private readonly plan: Plan;
  private readonly scheduler = new VirtualTimeScheduler();
  private readonly random: () => number;
  private readonly server: SimulatedServer<V1ConfigMap>;
  private readonly disk = new Disk();
  /** The objects of the server by its version. */
  private readonly states = new Map<string, readonly V1ConfigMap[]>();
  private program: { readonly informer: SharedInformer<V1ConfigMap>; readonly folds: Fold<V1ConfigMap>[]; isAlive: boolean } | undefined;

  constructor(given: Plan) {
    this.plan = given;
    this.random = seededRandom(given.chance);
    this.server = new SimulatedServer({ ...given.server, scheduler: this.scheduler, resource: 'configmaps' }, make);
    this.note();
  }

  async run(): Promise<readonly string[]> {
    for (const { afterMs, turns: count, step: next } of this.plan.steps) {
      if (afterMs > 0) advanceBy(this.scheduler, afterMs);
      await turns(count);
      this.apply(next);
      this.compare(next.do);
    }
    const { source } = this.server;
    source.start();
    this.disk.isDamaged = false;
    if (this.program === undefined) this.begin();
    await this.rest();
    this.compareAll('at rest');
    await this.finish();
    source.stop();
    this.begin();
    await this.rest(1);
    this.compareAll('restored');
    const state = this.program?.informer.health().state ?? '';
    if (state !== 'restored') this.complaints.push(`it is ${state} without its server`);
    source.start();
    this.server.apply({ do: 'write', key: 'one/a', lost: false });
    await this.rest();
    this.compareAll('resumed');
    await this.finish();
    return this.complaints;
  }

  private apply(next: Step | ProgramStep): void {
    const { program } = this;
    switch (next.do) {
      case 'begin':
        if (program === undefined) this.begin();
        break;
      case 'finish':
        void this.finish();
        break;
      case 'kill':
        if (program !== undefined) program.isAlive = false;
        void this.finish();
        break;
      case 'join':
        this.join();
        break;
      case 'leave':
        program?.folds.splice(0).forEach((fold) => this.leave(fold));
        break;
      case 'damage':
        this.disk.isDamaged = true;
        break;
      // What a client cannot notice is for other specs.
      case 'restore':
        break;
      default:
        if (!('lost' in next) || !next.lost) this.server.apply(next);
        this.note();
    }
  }

  private note(): void {
    const { source } = this.server;
    this.states.set(source.resourceVersion, source.objects());
  }

  private begin(): void {
    const { scheduler, random } = this;
    const { namespace, verified, relistPeriodMs } = this.plan;
    const { source } = this.server;
    const view = ({ namespace: place = '' }: { readonly namespace?: string | undefined }): ListerWatcher<V1ConfigMap> =>
      source.where(({ metadata }) => place === '' || metadata?.namespace === place, place);
    const client: InformerClient = {
      listChunks: (_, request) => view(request).list(request) as never,
      watch: (_, request) => view(request).watch(request) as never,
      server: () => Promise.resolve('http://simulated'),
    };
    const store = this.disk.store(
      () => program.isAlive,
      (scope, version, objects) => this.compareSaved(scope, version, objects),
    );
    const informer = createInformer<V1ConfigMap>(client, configmaps, {
      ...{ namespace, scheduler, random, relistPeriodMs, logger: { warn: () => undefined } },
      parts: [warmStart(store, { saveEveryMs: 3_000 }), ...(verified ? [verification({ everyMs: 60_000 })] : [])],
      onError: ({ code, message }) => {
        if (code === 'ERR_DRIFT') this.complaints.push(message);
        return 'retry';
      },
    });
    const program = { informer, folds: [], isAlive: true };
    this.program = program;
    informer.start();
    this.join();
  }

  private join(): void {
    const { informer, folds = [] } = this.program ?? {};
    if (informer === undefined) return;
    const scopes = [this.plan.namespace].flat();
    const change$ = informer.resource$;
    folds.push(
      new Fold(change$, () => {
        if (scopes.every((scope) => informer.lastSyncResourceVersion(scope) === '')) this.complaints.push('an event before the first list');
      }),
    );
    const read = new Fold(change$);
    folds.push(read);
    read.subscription.add(
      change$.subscribe((event) => {
        if (event.type === 'added' || event.type === 'updated') {
          if (informer.indexer.getByKey(event.key) !== event.object) this.complaints.push(`${event.type} ${event.key} is not what is read`);
          if (!informer.lister.list().includes(event.object)) this.complaints.push(`${event.type} ${event.key} is not among those listed`);
        }
      }),
    );
  }

  private leave(fold: Fold<V1ConfigMap>): void {
    this.complaints.push(...fold.complaints);
    fold.subscription.unsubscribe();
  }

  private async finish(): Promise<void> {
    const { informer, folds = [] } = this.program ?? {};
    this.program = undefined;
    const stopped = informer?.stop();
    folds.forEach((fold) => this.leave(fold));
    await stopped;
  }

  private async rest(rounds = 6): Promise<void> {
    for (let round = 0; round < rounds; round += 1) {
      await turns(200);
      advanceBy(this.scheduler, round < rounds / 2 ? 3_000 : 100_000);
      await turns(200);
    }
  }

  private isSelected = ({ metadata }: KubernetesObject): boolean =>
    this.plan.namespace === '' || [this.plan.namespace].flat().includes(metadata?.namespace ?? '');

  private compareSaved(scope: string, version: string, objects: readonly KubernetesObject[]): void {
    const state = this.states.get(version)?.filter(({ metadata }) => scope === '' || metadata?.namespace === scope);
    if (state !== undefined && described(state).join() !== described(objects).join())
      this.complaints.push(`saved ${described(objects).join(', ')} as ${scope} at ${version}, which is ${described(state).join(', ')}`);
  }

  private compare(what: string): void {
    const { informer, folds = [] } = this.program ?? {};
    if (informer?.hasSynced() === true) {
      const cached = described(informer.lister.list()).join();
      for (const { objects } of folds)
        if (described(objects.values()).join() !== cached)
          this.complaints.push(`after ${what}, a subscriber has something else than the cache`);
    }
  }

  private compareAll(what: string): void {
    this.compare(what);
    const shown = described(this.program?.informer.lister.list() ?? []).join();
    const there = described(this.server.source.objects().filter(this.isSelected)).join();
    if (shown !== there) this.complaints.push(`${what}: ${shown}, but there is ${there}`);
  }
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
}

describe('an informer that is started, stopped and killed, with its cache on a disk', () => {
  it('saves what the server had at that version, shows it again, and converges', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (given) => {
        expect(await new Simulation(given).run()).toEqual([]);
      }),
      { numRuns: runs(400) },
    );
  });
});
