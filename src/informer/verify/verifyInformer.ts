import { concat, concatMap, defer, EMPTY, from, ignoreElements, map, type Observable, of, takeUntil, tap, throwError, toArray } from 'rxjs';
import { defaults } from '../../api/defaults.js';
import { InformerError } from '../../api/errors/informerError.js';
import { checkOptions, type OptionRules, rules } from '../../api/options.js';
import { keyOfObjectName, type KubernetesObject, resourceVersionOf } from '../../api/kubernetesObject.js';
import { type Relisting, type Verifiable, verifiable } from '../parts/part.js';
import type { SharedInformer } from '../sharedInformer.js';
import { waitFor, type WaitOptions, waitRules } from '../waiting/waitFor.js';
import { listPages } from '../../source/pages/listPages.js';
import { isEqualJson } from '../../api/isEqualJson.js';

/** Options of `verify`. */
export interface VerifyOptions extends WaitOptions {
  /** Lists whole objects, and compares contents of equal versions. Not for informers with a `transform`. @defaultValue false */
  readonly contents?: boolean | undefined;
  /** Objects per page of the list; 0 for all at once. @defaultValue 500 */
  readonly pageSize?: number | undefined;
}

/** The rules of the options of `verify` and `verification`. */
export const comparingRules: OptionRules<Pick<VerifyOptions, 'contents' | 'pageSize'>> = {
  contents: rules.boolean,
  pageSize: rules.number({ min: 0, integer: true }),
};

const verifyRules: OptionRules<VerifyOptions> = { ...waitRules, ...comparingRules };

/** An object that only one side has, with its version. */
export interface VerifiedObject {
  readonly key: string;
  /** `''` when a `transform` removed it. */
  readonly resourceVersion: string;
}

/** An object that differs between both sides. */
export interface DifferingObject {
  readonly key: string;
  /** The version in the cache. */
  readonly cached: string;
  /** The version on the server. Equal to `cached` if only the contents differ. */
  readonly served: string;
}

/** The differences between a cache and its server at the same version. Lists are in order of the keys. */
export interface Verification {
  /** Whether nothing differs. */
  readonly isConsistent: boolean;
  /** The number of objects on the server. */
  readonly count: number;
  /** The compared version, by scope (namespace); `''` is the scope of an informer on all namespaces. */
  readonly resourceVersions: ReadonlyMap<string, string>;
  /** Objects on the server that the cache lacks. */
  readonly missing: readonly VerifiedObject[];
  /** Cached objects that the server does not have. */
  readonly extra: readonly VerifiedObject[];
  readonly differing: readonly DifferingObject[];
}

const versionOf = (object: unknown): string => resourceVersionOf(object) ?? '';

/** The differences of one scope. */
type Comparison = Pick<Verification, 'missing' | 'extra' | 'differing' | 'count'> & { readonly scope: string; readonly version: string };

/** Compares cached objects with those of a list as they arrive. A cached value without a version is compared by its key alone. */
function comparing(unseen: Map<string, unknown>, contents: boolean) {
  const [missing, differing]: [VerifiedObject[], DifferingObject[]] = [[], []];
  let count = 0;
  const compare = (object: KubernetesObject): void => {
    const { namespace = '', name = '' } = object.metadata ?? {};
    const key = keyOfObjectName({ namespace, name });
    const served = versionOf(object);
    const value = unseen.get(key);
    const cached = versionOf(value);
    if (!unseen.delete(key)) missing.push({ key, resourceVersion: served });
    else if ((cached !== '' && cached !== served) || (contents && !isEqualJson(value, object))) differing.push({ key, cached, served });
  };
  return {
    listed: (objects: readonly KubernetesObject[]): void => {
      count += objects.length;
      objects.forEach(compare);
    },
    result: () => ({
      ...{ missing, differing, count },
      extra: [...unseen].map(([key, object]) => ({ key, resourceVersion: versionOf(object) })),
    }),
  };
}

/** Lists a scope at exactly its cached version, and compares both. */
function compareScope(
  informer: SharedInformer<unknown>,
  { resource, scheduler }: Verifiable,
  { lister, scopes }: Relisting,
  { contents = false, pageSize = 500 }: VerifyOptions,
  scope: string,
): Observable<Comparison> {
  const { name, indexer } = informer;
  const fail = (why: string): Observable<never> =>
    throwError(() => new InformerError({ code: 'ERR_LIST', message: `The informer ${name} cannot be verified: ${why}`, resource }));
  const version = informer.hasSynced() ? informer.lastSyncResourceVersion(scope) : '';
  if (version === '') return fail(`its first list${scope === '' ? '' : ` of ${JSON.stringify(scope)}`} is not complete`);
  // A single scope has all keys.
  const isWhole = scope === '' || scopes().length === 1;
  // What a transform fails for is present, in whatever version.
  const degraded = new Set(informer.health().degraded);
  const keys = [...indexer.listKeys(), ...degraded].filter((key) => isWhole || key.startsWith(`${scope}/`));
  const comparison = comparing(new Map(keys.map((key) => [key, degraded.has(key) ? undefined : indexer.getByKey(key)])), contents);
  const request = { resourceVersion: version, resourceVersionMatch: 'Exact' as const, ...(pageSize > 0 && { limit: pageSize }) };
  return listPages(lister(scope, !contents), request, { fullListIfExpired: false, timeoutMs: defaults.listTimeoutMs, scheduler }).pipe(
    tap((event) => {
      if (event.type === 'items') comparison.listed(event.items as readonly KubernetesObject[]);
    }),
    concatMap((event) => {
      if (event.type !== 'end') return EMPTY;
      if (event.resourceVersion === version) return of({ scope, version, ...comparison.result() });
      return fail(`asked for the list at exactly version ${version}, got that of ${event.resourceVersion}`);
    }),
  );
}

const byKey = (one: { readonly key: string }, other: { readonly key: string }): number =>
  one.key < other.key ? -1 : Number(one.key > other.key);

function verificationOf(comparisons: readonly Comparison[]): Verification {
  const missing = comparisons.flatMap((comparison) => comparison.missing).sort(byKey);
  const extra = comparisons.flatMap((comparison) => comparison.extra).sort(byKey);
  const differing = comparisons.flatMap((comparison) => comparison.differing).sort(byKey);
  return {
    isConsistent: missing.length + extra.length + differing.length === 0,
    count: comparisons.reduce((sum, { count }) => sum + count, 0),
    resourceVersions: new Map(comparisons.map(({ scope, version }) => [scope, version])),
    missing,
    extra,
    differing,
  };
}

/**
 * Compares an informer's cache with a consistent list of metadata at exactly the cached version, page by page, one namespace after the other, and resolves
 * with the differences. It changes and starts nothing. `health()` has the age of that version.
 *
 * Rejects with the error of the list, for example an ApiError (`isExpired`) when the server no longer has that version; with an InformerError `ERR_LIST` before the
 * first list is complete, or when the server answers with another version; `ERR_TIMEOUT` after `timeoutMs`; `ERR_STOPPED`; with the signal's reason; with a TypeError for
 * an informer that is not over a client and a resource.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { verifyInformer } from 'rx-informer/pipeline';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * await pods.whenSynced();
 * const { isConsistent, missing, extra, differing } = await verifyInformer(pods, { timeoutMs: 30_000 });
 * if (!isConsistent) console.error(missing, extra, differing);
 * ```
 */
export async function verifyInformer(informer: SharedInformer<unknown>, options: VerifyOptions = {}): Promise<Verification> {
  checkOptions('verifyInformer', options, verifyRules);
  const { signal, timeoutMs, contents = false } = options;
  const { name, health$ } = informer;
  const { [verifiable]: about } = informer as { readonly [verifiable]?: Verifiable };
  const refuse = (why: string): never => {
    throw new TypeError(`The informer ${name} cannot be verified: ${why}`);
  };
  if (contents && about?.isTransformed === true) return refuse('the contents are those that its transform made; leave `contents` out');
  const { relisting } = about ?? {};
  if (about === undefined || relisting === undefined)
    return refuse('only one over a client and a resource, and without `sharding`, can list again');
  const { resource, scheduler, ended } = about;
  const ended$ = concat(health$.pipe(ignoreElements()), of(undefined));
  const compared$ = defer(() => from(relisting.scopes())).pipe(
    concatMap((scope) => compareScope(informer, about, relisting, options, scope)),
    toArray(),
    map(verificationOf),
    takeUntil(ended$),
  );
  const message = `The informer ${name} was not verified within ${timeoutMs ?? 0} ms`;
  const tooLate = (): InformerError => new InformerError({ code: 'ERR_TIMEOUT', message, resource });
  const verification$ = defer(() => (informer.isStopped() ? EMPTY : compared$));
  return waitFor(verification$, { signal, timeoutMs }, { owner: 'verifyInformer', scheduler, ended, tooLate });
}
