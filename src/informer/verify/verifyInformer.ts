import { concat, defer, EMPTY, ignoreElements, type Observable, of, takeUntil } from 'rxjs';
import { InformerError } from '../../api/errors/informerError.js';
import { checkOptions } from '../../api/options/checkOptions.js';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { InformerHealth } from '../../api/events/informerHealth.js';
import type { InformerSource } from '../session/informerSource.js';
import { type ErrorSubject, stoppedError } from '../session/informerErrors.js';
import { waitFor } from '../waiting/waitFor.js';
import type { Verifiable } from './verifiable.js';
import type { Verification } from './verification.js';
import { type VerifyContext, verifyCache } from './verifyCache.js';
import { type VerifyOptions, verifyRules } from './verifyOptions.js';

/** The informer that is to be verified. */
interface VerifiedInformer<T> extends Omit<VerifyContext<T>, 'verifiable' | 'resource' | 'name'> {
  readonly source: InformerSource<T>;
  readonly options: Readonly<Record<'transform' | 'deltaFifo', unknown>>;
  readonly health$: Observable<InformerHealth>;
  readonly hasSynced: () => boolean;
  readonly isStopped: () => boolean;
  readonly subject: () => ErrorSubject;
}

function expectVerifiable<T>({ source, options, subject }: VerifiedInformer<T>, { contents = false }: VerifyOptions): Verifiable<T> {
  const refuse = (why: string): never => {
    throw new TypeError(`The informer ${subject().name} cannot be verified: ${why}`);
  };
  const { transform, deltaFifo = false } = options;
  if (deltaFifo !== false) return refuse('what waits in its DeltaFIFO is not in the cache yet');
  if (contents && transform !== undefined) return refuse('the contents are those that its transform made; leave `contents` out');
  return source.verifiable ?? refuse('only one over a client and a resource, and without a `shard`, can list again');
}

/**
 * `verify` of an informer.
 *
 * @internal
 */
export async function verifyInformer<T>(informer: VerifiedInformer<T>, options: VerifyOptions): Promise<Verification> {
  checkOptions('verify', options, verifyRules);
  const { health$, hasSynced, isStopped, subject, scheduler } = informer;
  const { name, resource } = subject();
  const verifiable = expectVerifiable(informer, options);
  const context = { ...informer, name, resource, verifiable };
  // Before the first list is complete, there is no version of the cache.
  const versionOf = (scope: string): string => (hasSynced() ? informer.versionOf(scope) : '');
  const ended$ = concat(health$.pipe(ignoreElements()), of(undefined));
  const condition = defer(() =>
    isStopped() ? EMPTY : verifyCache({ ...context, versionOf } as VerifyContext<T & KubernetesObject>, options).pipe(takeUntil(ended$)),
  );
  const { signal, timeoutMs } = options;
  return waitFor(
    condition,
    { signal, timeoutMs },
    {
      owner: 'verify',
      scheduler,
      ended: () => stoppedError(subject(), 'has been stopped'),
      tooLate: () =>
        new InformerError({ code: 'ERR_TIMEOUT', message: `The informer ${name} was not verified within ${timeoutMs ?? 0} ms`, resource }),
    },
  );
}
