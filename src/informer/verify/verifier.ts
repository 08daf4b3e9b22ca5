import { Observable, Subject, type Subscriber, Subscription, timer } from 'rxjs';
import { causesOf } from '../../api/errors/apiError.js';
import { InformerError } from '../../api/errors/informerError.js';
import type { SourceEvent, SourceStatus } from '../../api/events.js';
import { checkOptions, type Complete, type OptionRules, randomOf, rules } from '../../api/options.js';
import { follow } from '../../rx/trampoline.js';
import { schedulerOf } from '../../rx/schedulerOf.js';
import { type InformerPart, originFor, type PartSetup, type Plug, refusing } from '../parts/part.js';
import { comparingRules, type Verification, verifyInformer, type VerifyOptions } from './verifyInformer.js';

/** How an informer verifies its cache automatically. */
export interface VerificationOptions extends Pick<VerifyOptions, 'contents' | 'pageSize'> {
  /** The period in milliseconds, prolonged at random by up to a tenth. At least 1,000. @defaultValue Infinity: only after outages */
  readonly everyMs?: number | undefined;
  /**
   * The largest cache, in objects, that is verified after an outage; a larger one waits for its next list, or for `everyMs`, and its health says so
   * (`unverifiedSince`). `Infinity` for no limit.
   *
   * @defaultValue 5000
   */
  readonly maxObjects?: number | undefined;
  /** What to do about a difference: list again in parallel to the watch, or only report it. A list does not correct differing contents of equal versions. @defaultValue `'relist'` */
  readonly onDrift?: 'relist' | 'report' | undefined;
}

const verificationRules: OptionRules<VerificationOptions> = {
  ...comparingRules,
  everyMs: rules.durationOf({ min: 1000, infinite: true }),
  maxObjects: rules.number({ min: 1, infinite: true }),
  onDrift: rules.oneOf('relist', 'report'),
};

/** The first verification is delayed by a random time up to this, so that informers do not all list at once. */
const spreadMs = { outage: 60_000, warm: 10_000 };

/** The informer being verified. */
interface Verified {
  hasSynced(): boolean;
  verify(options: VerifyOptions): Promise<Verification>;
  /** The number of cached objects. */
  count(): number;
  /** Called when the health has changed. */
  changed(): void;
}

interface VerifierInit extends Complete<Pick<PartSetup, 'resource' | 'scheduler' | 'random'>> {
  readonly options: VerificationOptions;
  /** Whether the cache was restored from an earlier run: then it is verified as well. */
  readonly isWarm: boolean;
}

/** Whether the connection was refused: the next server at that address may be another one, or restored from a backup. */
function isRefused(error: unknown): boolean {
  return causesOf(error).some((cause) => (cause as { readonly code?: unknown } | null)?.code === 'ECONNREFUSED');
}

function describe({ missing, extra, differing }: Verification, resource: string): string {
  const first = [...missing, ...extra, ...differing][0]?.key ?? '';
  const counts = `${missing.length} missing, ${extra.length} too many, ${differing.length} others`;
  return `The cache of ${resource} differs from the server at the same version: ${counts}, for example ${first}`;
}

/**
 * Verifies the cache of an informer automatically: on a schedule, and after an outage in which connections were refused. A difference is a failure
 * (`ERR_DRIFT`) of the source, and a reason to list again. @internal
 */
export class Verifier {
  /** Emits to make the source list again. */
  readonly relist$: Observable<void>;
  private readonly wanted$ = new Subject<void>();
  private readonly init: VerifierInit;
  private informer: Verified | undefined;
  private suspectSince: number | undefined;
  /** The number of comparisons under way. One that takes longer than the period goes on alone. */
  private running = 0;

  constructor(init: VerifierInit) {
    this.init = init;
    this.relist$ = this.wanted$.asObservable();
  }

  attach(informer: Verified): void {
    this.informer = informer;
  }

  /** When the outage ended after which the cache may differ from the server; undefined after the next comparison. */
  unverifiedSince(): number | undefined {
    return this.suspectSince;
  }

  /** Passes on the events of the source, with the failures found by verification. */
  follow<T>(event$: Observable<SourceEvent<T>>): Observable<SourceEvent<T>> {
    return new Observable((subscriber) => {
      const { options, random, scheduler, isWarm } = this.init;
      const { everyMs = Infinity } = options;
      /** The last status by scope. A scope that is removed ends with a list without a version. */
      const links = new Map<string, SourceStatus>();
      const run = (isSuspect: boolean): void => this.run(subscriber, isSuspect, links);
      // Not an action of the scheduler: the subscriber would keep a reference to each of them.
      const later = (ms: number, action: () => void): void =>
        follow(timer(ms, scheduler), subscriber, { next: action, complete: () => undefined });
      const schedule = (): void =>
        later(everyMs * (1 + 0.1 * random()), () => {
          if (this.running === 0) run(false);
          schedule();
        });
      if (everyMs !== Infinity) schedule();
      /** Waits until all of it is restored. */
      const verifyRestored = (ms: number): void =>
        later(ms, () => (this.informer?.hasSynced() === false ? verifyRestored(spreadMs.warm) : run(true)));

      /** The scopes whose connections are refused, and those that were refused and have not been listed since. */
      const [outages, suspects] = [new Set<string>(), new Set<string>()];
      /** Whether a restored cache is to be verified, and the scopes that the server has listed. */
      let warm = isWarm;
      const listed = new Set<string>();
      const next = (event: SourceEvent<T>): void => {
        subscriber.next(event);
        if (event.type === 'ready') {
          outages.delete(event.scope);
          if (event.resourceVersion === '') links.delete(event.scope);
          if (suspects.delete(event.scope) && suspects.size === 0) this.suspect(undefined);
        }
        if (event.type !== 'status') return;
        const { scope = '', state, error } = event;
        links.set(scope, event);
        if (error !== undefined && isRefused(error)) outages.add(scope);
        if (state === 'listing') listed.add(scope);
        if (state !== 'watching' || error !== undefined) return;
        const isRestored = warm && !listed.has(scope);
        if (isRestored) warm = false;
        if (outages.delete(scope)) {
          suspects.add(scope);
          this.suspect(scheduler.now());
          later(random() * spreadMs.outage, () => this.afterOutage(run));
        } else if (isRestored) verifyRestored(random() * spreadMs.warm);
      };
      follow(event$, subscriber, { next });
      subscriber.add(() => this.suspect(undefined));
    });
  }

  /** Verifies after an outage, unless the cache is too large or has been listed again meanwhile. */
  private afterOutage(run: (isSuspect: boolean) => void): void {
    const { maxObjects = 5_000 } = this.init.options;
    if (this.suspectSince !== undefined && (this.informer?.count() ?? 0) <= maxObjects) run(true);
  }

  private suspect(since: number | undefined): void {
    if (this.suspectSince === since) return;
    this.suspectSince = since;
    this.informer?.changed();
  }

  /** @param isSuspect - whether to list everything again if the comparison is impossible. */
  private run<T>(subscriber: Subscriber<SourceEvent<T>>, isSuspect: boolean, links: ReadonlyMap<string, SourceStatus>): void {
    const { options, resource } = this.init;
    const { contents, pageSize, onDrift } = options;
    const abort = new AbortController();
    this.running += 1;
    const running = new Subscription(() => {
      this.running -= 1;
      abort.abort();
    });
    subscriber.add(running);
    const relist = (): void => {
      if (!subscriber.closed && onDrift !== 'report') this.wanted$.next();
    };
    this.informer?.verify({ contents, pageSize, signal: abort.signal }).then(
      (verification) => {
        running.unsubscribe();
        if (verification.isConsistent) this.suspect(undefined);
        const [link] = links.values();
        if (verification.isConsistent || subscriber.closed || link === undefined) return;
        const error = new InformerError({ code: 'ERR_DRIFT', message: describe(verification, resource), resource });
        subscriber.next({ ...link, error });
        relist();
      },
      () => {
        running.unsubscribe();
        if (isSuspect) relist();
      },
    );
  }
}

/** Compares the cache of an informer automatically. @internal */
export function verifierPlug(setup: PartSetup, options: VerificationOptions): Plug {
  const { resource, scheduler, random } = setup;
  const isWarm = setup.has('warmStart');
  const verifier = new Verifier({ resource, options, isWarm, scheduler: schedulerOf(scheduler), random: randomOf(random) });
  return {
    relist$: verifier.relist$,
    followed: (events) => verifier.follow(events),
    attach: ({ informer, store, healthChanged }) => {
      verifier.attach({
        hasSynced: () => informer.hasSynced(),
        verify: (asked) => verifyInformer(informer, asked),
        count: () => store.listKeys().length,
        changed: healthChanged,
      });
      return { unverifiedSince: () => verifier.unverifiedSince() };
    },
  };
}

/**
 * Compares an informer's cache with the server automatically, as `verifyInformer` does: after an outage in which connections were refused, after a warm start, and on
 * a schedule if `everyMs` is set. A difference is reported (`ERR_DRIFT`), and everything is listed again.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { verification } from 'rx-informer/pipeline';
 *
 * createInformer(createClient(), resources.core.v1.pods, { parts: [verification({ everyMs: 3_600_000 })] }).start();
 * ```
 *
 * @throws TypeError when an option is wrong.
 */
export function verification(options: VerificationOptions = {}): InformerPart {
  checkOptions('verification', options, verificationRules);
  return {
    part: 'verification',
    plug: (setup) => {
      const refuse = refusing('verification', setup.resource);
      originFor('verification', setup);
      if (setup.has('sharding')) refuse('a list of the server includes objects of other shards');
      if (options.contents === true && setup.transform !== undefined)
        refuse('the contents are those that its transform made; leave `contents` out');
      return verifierPlug(setup, options);
    },
  };
}
