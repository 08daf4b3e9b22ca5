import {
  concat,
  defer,
  EMPTY,
  ignoreElements,
  type Observable,
  of,
  takeUntil,
  concatMap,
  from,
  map,
  type SchedulerLike,
  tap,
  throwError,
  toArray,
} from 'rxjs';
import { InformerError } from '../../api/errors/informerError.js';
import { checkOptions } from '../../api/options/checkOptions.js';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { InformerHealth } from '../../api/events/informerHealth.js';
import type { InformerSource } from '../session/informerSource.js';
import { type ErrorSubject, stoppedError } from '../session/informerErrors.js';
import { waitFor } from '../waiting/waitFor.js';
import type { Verifiable } from './verifiable.js';
import type { Verification, DifferingObject, VerifiedObject } from './verification.js';
import { type VerifyOptions, verifyRules } from './verifyOptions.js';
import type { IndexReader } from '../../cache/store/indexReader.js';
import { listPages } from '../../source/pages/listPages.js';
import { keyOfObjectName } from '../../cache/keys/objectName.js';
import { resourceVersionOf } from '../../cache/keys/resourceVersionOf.js';
import { isEqualJson } from '../../operators/folds/isEqualJson.js';

const versionOf = (object: unknown): string => resourceVersionOf(object) ?? '';

/** Compares a picture of the cache with the objects of a list as they arrive. A cached value without a version is compared by its key alone. */
class Comparison {
  readonly missing: VerifiedObject[] = [];
  readonly differing: DifferingObject[] = [];
  count = 0;
  private readonly unseen: Map<string, unknown>;
  private readonly contents: boolean;

  /** @param cached - the picture; it is used up. */
  constructor(cached: Map<string, unknown>, contents: boolean) {
    this.unseen = cached;
    this.contents = contents;
  }

  listed(objects: readonly KubernetesObject[]): void {
    for (const object of objects) {
      const { namespace = '', name = '' } = object.metadata ?? {};
      this.compare(keyOfObjectName({ namespace, name }), object);
    }
  }

  /** What the list has not brought. */
  extra(): VerifiedObject[] {
    return [...this.unseen].map(([key, object]) => ({ key, resourceVersion: versionOf(object) }));
  }

  private compare(key: string, object: KubernetesObject): void {
    this.count += 1;
    const served = versionOf(object);
    if (!this.unseen.has(key)) {
      this.missing.push({ key, resourceVersion: served });
      return;
    }
    const value = this.unseen.get(key);
    this.unseen.delete(key);
    const cached = versionOf(value);
    const differs = (cached !== '' && cached !== served) || (this.contents && !isEqualJson(value, object));
    if (differs) this.differing.push({ key, cached, served });
  }
}

/** What is to be verified. */
interface VerifyContext<T> {
  /** Of the informer, for messages. */
  readonly name: string;
  readonly resource: string;
  readonly verifiable: Verifiable<T>;
  readonly indexer: Pick<IndexReader<unknown>, 'listKeys' | 'getByKey'>;
  /** The version that the cache has of a scope; `''` before its first list. */
  readonly versionOf: (scope: string) => string;
  readonly scheduler: SchedulerLike;
}

interface Verified {
  readonly scope: string;
  readonly version: string;
  readonly comparison: Comparison;
}

/** What the cache has of a scope. Where there is but one, everything is its. */
function pictureOf({ indexer, verifiable }: VerifyContext<unknown>, scope: string): Map<string, unknown> {
  const isWhole = scope === '' || verifiable.scopes().length === 1;
  const keys = indexer.listKeys().filter((key) => isWhole || key.startsWith(`${scope}/`));
  return new Map(keys.map((key) => [key, indexer.getByKey(key)]));
}

function verifyScope<T extends KubernetesObject>(context: VerifyContext<T>, scope: string, options: VerifyOptions): Observable<Verified> {
  const { name, resource, verifiable, versionOf, scheduler } = context;
  const { contents = false, pageSize = 500 } = options;
  const fail = (why: string): Observable<never> =>
    throwError(() => new InformerError({ code: 'ERR_LIST', message: `The informer ${name} cannot be verified: ${why}`, resource }));
  return defer(() => {
    const version = versionOf(scope);
    if (version === '') return fail(`its first list${scope === '' ? '' : ` of ${JSON.stringify(scope)}`} is not complete`);
    const comparison = new Comparison(pictureOf(context, scope), contents);
    const request = { resourceVersion: version, resourceVersionMatch: 'Exact' as const, ...(pageSize > 0 && { limit: pageSize }) };
    const listed = listPages(verifiable.lister(scope, !contents), request, { fullListIfExpired: false, scheduler }).pipe(
      tap((event) => {
        if (event.type === 'items') comparison.listed(event.items);
      }),
      concatMap((event) =>
        event.type === 'end' && event.resourceVersion !== version
          ? fail(`asked for the list at exactly version ${version}, got that of ${event.resourceVersion}`)
          : [],
      ),
      ignoreElements(),
    );
    return concat(listed, of({ scope, version, comparison }));
  });
}

const byKey = (one: { readonly key: string }, other: { readonly key: string }): number =>
  one.key < other.key ? -1 : Number(one.key > other.key);

function verificationOf(verified: readonly Verified[]): Verification {
  const comparisons = verified.map(({ comparison }) => comparison);
  const missing = comparisons.flatMap((comparison) => comparison.missing).sort(byKey);
  const extra = comparisons.flatMap((comparison) => comparison.extra()).sort(byKey);
  const differing = comparisons.flatMap((comparison) => comparison.differing).sort(byKey);
  return {
    isConsistent: missing.length + extra.length + differing.length === 0,
    count: comparisons.reduce((sum, { count }) => sum + count, 0),
    resourceVersions: new Map(verified.map(({ scope, version }) => [scope, version])),
    missing,
    extra,
    differing,
  };
}

/** Lists each scope at exactly the version that the cache has of it, one after the other, and emits in what they differ. */
function verifyCache<T extends KubernetesObject>(context: VerifyContext<T>, options: VerifyOptions): Observable<Verification> {
  return defer(() => from(context.verifiable.scopes())).pipe(
    concatMap((scope) => verifyScope(context, scope, options)),
    toArray(),
    map(verificationOf),
  );
}

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

/** `verify` of an informer. @internal */
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
