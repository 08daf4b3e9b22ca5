import { Observable, type SchedulerLike, Subject, type Subscriber, Subscription, timer } from 'rxjs';
import { InformerError } from '../../api/errors/informerError.js';
import type { SourceEvent, SourceStatus } from '../../api/events.js';
import { type Verification, type VerificationOptions, verificationRules, type VerifyOptions } from './verification.js';
import { checkOptions } from '../../api/options.js';
import { follow } from '../../rx/trampoline.js';
import { schedulerOf } from '../../rx/schedulerOf.js';
import type { ResourceInformerOptions } from '../informerOptions.js';

/** After an outage, and after a warm start, informers begin at different times, within this time. */
const spreadMs = { outage: 60_000, warm: 10_000 };

/** Up to how many objects a cache is verified after an outage. */
const defaultMaxObjects = 5_000;

/** The informer that is verified. */
interface Verified {
  verify(options: VerifyOptions): Promise<Verification>;
  /** How many objects it has. */
  count(): number;
  /** Its health has changed. */
  changed(): void;
}

interface VerifierInit {
  readonly resource: string;
  readonly options: VerificationOptions;
  /** Whether the cache began with what an earlier run has saved: that is verified, too. */
  readonly isWarm: boolean;
  readonly scheduler: SchedulerLike;
  readonly random: () => number;
}

/** Whether the connection was refused: what listens there later may be another server, or one restored from a backup. */
function isRefused(error: unknown): boolean {
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  return code === 'ECONNREFUSED' || (cause instanceof Error && isRefused(cause));
}

function describe({ missing, extra, differing }: Verification, resource: string): string {
  const first = [...missing, ...extra, ...differing][0]?.key ?? '';
  const counts = `${missing.length} missing, ${extra.length} too many, ${differing.length} others`;
  return `The cache of ${resource} differs from the server at the same version: ${counts}, for example ${first}`;
}

/**
 * Verifies the cache of an informer by itself: on a schedule, and once after an outage in which connections were refused. A difference is a failure
 * (`ERR_DRIFT`) of the source, and a reason to list again. @internal
 */
export class Verifier {
  /** Asks the source for a list. */
  readonly relist$: Observable<void>;
  private readonly wanted$ = new Subject<void>();
  private readonly init: VerifierInit;
  private informer: Verified | undefined;
  private suspectSince: number | undefined;

  constructor(init: VerifierInit) {
    this.init = init;
    this.relist$ = this.wanted$.asObservable();
  }

  attach(informer: Verified): void {
    this.informer = informer;
  }

  /** When an outage ended after which the server may have another state than the cache; undefined when they have been compared since. */
  unverifiedSince(): number | undefined {
    return this.suspectSince;
  }

  /** Passes the events of the source on, with what is found out between them. */
  follow<T>(event$: Observable<SourceEvent<T>>): Observable<SourceEvent<T>> {
    return new Observable((subscriber) => {
      const { options, random, scheduler, isWarm } = this.init;
      const { everyMs = Infinity } = options;
      /** By scope, its last status. */
      const links = new Map<string, SourceStatus>();
      const run = (isSuspect: boolean): void => this.run(subscriber, isSuspect, links);
      // Not an action of the scheduler: the subscriber would keep each that has run.
      const later = (ms: number, action: () => void): void =>
        follow(timer(ms, scheduler), subscriber, { next: action, complete: () => undefined });
      const schedule = (): void => {
        const check = (): void => {
          run(false);
          schedule();
        };
        later(everyMs * (1 + 0.1 * random()), check);
      };
      if (everyMs !== Infinity) schedule();

      /** The scopes that are refused, and those that were and have not been listed since. */
      const outages = new Set<string>();
      const suspects = new Set<string>();
      let warm = isWarm;
      const next = (event: SourceEvent<T>): void => {
        subscriber.next(event);
        if (event.type === 'ready') {
          outages.delete(event.scope);
          if (suspects.delete(event.scope) && suspects.size === 0) this.suspect(undefined);
        }
        if (event.type !== 'status') return;
        const { scope = '', state, error } = event;
        links.set(scope, event);
        if (error !== undefined && isRefused(error)) outages.add(scope);
        if (state !== 'watching' || error !== undefined) return;
        if (outages.delete(scope)) {
          suspects.add(scope);
          this.suspect(scheduler.now());
          later(random() * spreadMs.outage, () => this.afterOutage(run));
        } else if (warm) later(random() * spreadMs.warm, () => run(true));
        warm = false;
      };
      follow(event$, subscriber, { next });
      subscriber.add(() => this.suspect(undefined));
    });
  }

  /** What is too large is not listed for a mere suspicion, and what has been listed anew meanwhile needs no comparison. */
  private afterOutage(run: (isSuspect: boolean) => void): void {
    const { maxObjects = defaultMaxObjects } = this.init.options;
    if (this.suspectSince !== undefined && (this.informer?.count() ?? 0) <= maxObjects) run(true);
  }

  private suspect(since: number | undefined): void {
    if (this.suspectSince === since) return;
    this.suspectSince = since;
    this.informer?.changed();
  }

  /** @param isSuspect - there is a reason: what cannot be verified, is listed. */
  private run<T>(subscriber: Subscriber<SourceEvent<T>>, isSuspect: boolean, links: ReadonlyMap<string, SourceStatus>): void {
    const { options, resource } = this.init;
    const { contents, pageSize, onDrift } = options;
    const abort = new AbortController();
    const running = new Subscription(() => abort.abort());
    subscriber.add(running);
    const relist = (): void => {
      if (!subscriber.closed && onDrift !== 'report') this.wanted$.next();
    };
    this.informer?.verify({ contents, pageSize, signal: abort.signal }).then(
      (verification) => {
        running.unsubscribe();
        if (verification.isConsistent) this.suspect(undefined);
        if (verification.isConsistent || subscriber.closed) return;
        const error = new InformerError({ code: 'ERR_DRIFT', message: describe(verification, resource), resource });
        const [{ scope = '', state } = { state: 'watching' as const }] = links.values();
        subscriber.next({ type: 'status', scope, state, error });
        relist();
      },
      () => {
        running.unsubscribe();
        if (isSuspect) relist();
      },
    );
  }
}

/** What verifies the cache of an informer by itself, if its options ask for it. @throws TypeError when it cannot be verified. @internal */
export function verifierOf<T, U>(resource: string, options: ResourceInformerOptions<T, U>): Verifier | undefined {
  const { verification, warmStart, transform, shard, scheduler, random = Math.random } = options;
  if (verification === undefined && warmStart === undefined) return undefined;
  checkOptions('createInformer.verification', verification ?? {}, verificationRules);
  const refuse = (why: string): never => {
    throw new TypeError(`The informer of ${resource} cannot have a \`verification\`: ${why}`);
  };
  if (shard !== undefined) refuse('its server lists what is not of its shard, too');
  const compares = verification?.contents === true && transform !== undefined;
  if (compares) refuse('the contents are those that its transform made; leave `contents` out');
  const isWarm = warmStart !== undefined;
  return new Verifier({ resource, options: verification ?? {}, isWarm, scheduler: schedulerOf(scheduler), random });
}
