import { Observable, Subject, type Subscriber, Subscription, timer } from 'rxjs';
import { causesOf } from '../../api/errors/apiError.js';
import { InformerError } from '../../api/errors/informerError.js';
import type { SourceEvent, SourceStatus } from '../../api/events.js';
import { checkOptions, type OptionRules, randomOf, rules } from '../../api/options.js';
import { follow } from '../../rx/trampoline.js';
import { schedulerOf } from '../../rx/schedulerOf.js';
import { type Attached, type InformerPart, originFor, type PartSetup, type Plug, type PluggedInformer, refusing } from '../parts/part.js';
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
 * (`ERR_DRIFT`) of the source, and a reason to list again.
 */
class Verifier {
  /** Emits to make the source list again. */
  readonly relist$: Observable<void>;
  private readonly wanted$ = new Subject<void>();
  private readonly setup: PartSetup;
  private readonly options: VerificationOptions;
  private readonly verify: typeof verifyInformer;
  private plugged!: PluggedInformer;
  /** When the outage ended after which the cache may differ from the server; undefined after the next comparison. */
  private suspectSince: number | undefined;
  /** The number of comparisons under way. One that takes longer than the period goes on alone. */
  private running = 0;

  constructor(setup: PartSetup, options: VerificationOptions, verify: typeof verifyInformer) {
    this.setup = setup;
    this.options = options;
    this.verify = verify;
    this.relist$ = this.wanted$.asObservable();
  }

  attach(plugged: PluggedInformer): Attached {
    this.plugged = plugged;
    return { unverifiedSince: () => this.suspectSince };
  }

  /** Passes on the events of the source, with the failures found by verification. */
  follow<T>(event$: Observable<SourceEvent<T>>): Observable<SourceEvent<T>> {
    return new Observable((subscriber) => {
      const { everyMs = Infinity } = this.options;
      const [scheduler, random] = [schedulerOf(this.setup.scheduler), randomOf(this.setup.random)];
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
        later(ms, () => (this.plugged.informer.hasSynced() ? run(true) : verifyRestored(spreadMs.warm)));

      /** The scopes whose connections are refused, and those that were refused and have not been listed since. */
      const [outages, suspects] = [new Set<string>(), new Set<string>()];
      /** Whether a restored cache is to be verified, and the scopes that the server has listed. */
      let warm = this.setup.has('warmStart');
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
    const { maxObjects = 5_000 } = this.options;
    if (this.suspectSince !== undefined && this.plugged.store.listKeys().length <= maxObjects) run(true);
  }

  private suspect(since: number | undefined): void {
    if (this.suspectSince === since) return;
    this.suspectSince = since;
    this.plugged.healthChanged();
  }

  /** @param isSuspect - whether to list everything again if the comparison is impossible. */
  private run<T>(subscriber: Subscriber<SourceEvent<T>>, isSuspect: boolean, links: ReadonlyMap<string, SourceStatus>): void {
    const { resource } = this.setup;
    const { contents, pageSize, onDrift } = this.options;
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
    this.verify(this.plugged.informer, { contents, pageSize, signal: abort.signal }).then(
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
export function verifierPlug(setup: PartSetup, options: VerificationOptions, verify: typeof verifyInformer = verifyInformer): Plug {
  const verifier = new Verifier(setup, options, verify);
  return {
    relist$: verifier.relist$,
    followed: (events) => verifier.follow(events),
    attach: (plugged) => verifier.attach(plugged),
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
