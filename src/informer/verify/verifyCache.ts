import {
  concatMap,
  defer,
  from,
  ignoreElements,
  map,
  type Observable,
  of,
  type SchedulerLike,
  tap,
  throwError,
  toArray,
  concat,
} from 'rxjs';
import { InformerError } from '../../api/errors/informerError.js';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { IndexReader } from '../../cache/store/indexReader.js';
import { listPages } from '../../source/pages/listPages.js';
import { Comparison } from './comparison.js';
import type { Verifiable } from './verifiable.js';
import type { Verification } from './verification.js';
import type { VerifyOptions } from './verifyOptions.js';

/**
 * What is to be verified.
 */
export interface VerifyContext<T> {
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

/**
 * Lists each scope at exactly the version that the cache has of it, one after the other, and emits in what they differ.
 *
 * @internal
 */
export function verifyCache<T extends KubernetesObject>(context: VerifyContext<T>, options: VerifyOptions): Observable<Verification> {
  return defer(() => from(context.verifiable.scopes())).pipe(
    concatMap((scope) => verifyScope(context, scope, options)),
    toArray(),
    map(verificationOf),
  );
}
