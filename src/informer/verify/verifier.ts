import { Observable, type SchedulerLike, Subject, Subscription } from 'rxjs';
import { InformerError } from '../../api/errors/informerError.js';
import type { SourceEvent, SourceStatus } from '../../api/events/sourceEvent.js';
import type { Verification } from './verification.js';
import { type VerificationOptions, verificationRules } from './verifyOptions.js';
import { checkOptions } from '../../api/options/checkOptions.js';
import { schedulerOf } from '../../rx/schedulerOf.js';
import type { ResourceInformerOptions } from '../informerOptions.js';

/** After an outage, informers begin at different times: so long at most. */
const spreadMs = 10_000;

/** What a verifier is made of. */
export interface VerifierInit {
  readonly resource: string;
  readonly options: VerificationOptions;
  /** Whether the cache began with what an earlier run has saved: that is verified, too. */
  readonly isWarm: boolean;
  readonly scheduler: SchedulerLike;
  readonly random: () => number;
}

/** Whether nobody was listening at the server's address: it may have been another server, or an older state of it, that came back. */
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
 * (`ERR_DRIFT`) of the source, and a reason to list again.
 *
 * @internal
 */
export class Verifier {
  /** Asks the source for a list. */
  readonly relist$: Observable<void>;
  private readonly wanted$ = new Subject<void>();
  private readonly init: VerifierInit;
  private verify: ((options: VerificationOptions & { readonly signal: AbortSignal }) => Promise<Verification>) | undefined;

  constructor(init: VerifierInit) {
    this.init = init;
    this.relist$ = this.wanted$.asObservable();
  }

  /** @param verify - the method of the informer. */
  attach(verify: NonNullable<Verifier['verify']>): void {
    this.verify = verify;
  }

  /** Passes the events of the source on, with what is found out between them. */
  follow<T>(event$: Observable<SourceEvent<T>>): Observable<SourceEvent<T>> {
    return new Observable((subscriber) => {
      const { init } = this;
      const timers = new Subscription();
      subscriber.add(timers);
      const outages = new Set<string>();
      let warm = init.isWarm;
      /** By scope, its last status. */
      const links = new Map<string, SourceStatus>();
      const tell = (error: InformerError): void => {
        const [status] = links.values();
        subscriber.next({ type: 'status', scope: status?.scope ?? '', state: status?.state ?? 'watching', error });
      };
      const soon = (): void => this.later(timers, init.random() * spreadMs, () => this.run(subscriber, true, tell));
      const schedule = (): void => {
        const { everyMs = Infinity } = init.options;
        if (everyMs === Infinity) return;
        this.later(timers, everyMs * (1 + 0.1 * init.random()), () => {
          this.run(subscriber, false, tell);
          schedule();
        });
      };
      schedule();
      subscriber.add(
        event$.subscribe({
          next: (event) => {
            subscriber.next(event);
            if (event.type !== 'status') return;
            const { scope = '', state, error } = event;
            links.set(scope, event);
            if (error !== undefined && isRefused(error)) outages.add(scope);
            if (state !== 'watching' || error !== undefined) return;
            if (outages.delete(scope) || warm) soon();
            warm = false;
          },
          error: (error: unknown) => subscriber.error(error),
          complete: () => subscriber.complete(),
        }),
      );
    });
  }

  private later(timers: Subscription, ms: number, action: () => void): void {
    timers.add(this.init.scheduler.schedule(action, ms));
  }

  /** @param isSuspect - there is a reason: what cannot be verified, is listed. */
  private run(session: Subscription, isSuspect: boolean, tell: (error: InformerError) => void): void {
    const { options, resource } = this.init;
    const abort = new AbortController();
    session.add(() => abort.abort());
    const relist = (): void => {
      if (!session.closed && options.onDrift !== 'report') this.wanted$.next();
    };
    const { contents, pageSize } = options;
    this.verify?.({ contents, pageSize, signal: abort.signal }).then(
      (verification) => {
        if (verification.isConsistent || session.closed) return;
        tell(new InformerError({ code: 'ERR_DRIFT', message: describe(verification, resource), resource }));
        relist();
      },
      () => {
        if (isSuspect) relist();
      },
    );
  }
}

/**
 * What verifies the cache of an informer by itself, if its options ask for it.
 *
 * @throws TypeError when it cannot be verified.
 * @internal
 */
export function createVerifier<T, U>(resource: string, options: ResourceInformerOptions<T, U>): Verifier | undefined {
  const { verification, warmStart, transform, deltaFifo = false, shard, scheduler, random = Math.random } = options;
  if (verification === undefined && warmStart === undefined) return undefined;
  checkOptions('createInformer.verification', verification ?? {}, verificationRules);
  const refuse = (why: string): never => {
    throw new TypeError(`The informer of ${resource} cannot have a \`verification\`: ${why}`);
  };
  if (deltaFifo !== false) refuse('what waits in its DeltaFIFO is not in the cache yet');
  if (shard !== undefined) refuse('its server lists what is not of its shard, too');
  if (transform !== undefined && verification?.contents === true)
    refuse('the contents are those that its transform made; leave `contents` out');
  return new Verifier({
    resource,
    options: verification ?? {},
    isWarm: warmStart !== undefined,
    scheduler: schedulerOf(scheduler),
    random,
  });
}
