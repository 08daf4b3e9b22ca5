import { filter, isObservable, type MonoTypeOperatorFunction, Observable, tap } from 'rxjs';
import { InformerError } from '../../api/errors/informerError.js';
import { checkOptions } from '../../api/options.js';
import type { ResourceChange, ResourceEvent, SourceEvent } from '../../api/events.js';
import type { Indexer } from '../../cache/store/store.js';
import { metaNamespaceKey } from '../../cache/keys.js';
import { createReadYourWrites, maxEntriesRule, type ReadYourWrites } from '../../cache/createReadYourWrites.js';
import type { ClientWrite, KubeClient } from '../../client/kubeClient.js';
import { valueFor, type ValueOptions } from '../../delta/index/cachedObjects.js';
import { flattenChange } from '../../delta/share/shareWithSnapshot.js';
import { type KubernetesObject, namespaceOfKey } from '../../api/kubernetesObject.js';
import { jsonTextOf } from '../../api/jsonTextOf.js';
import { type FieldRequirement, parseFieldSelector, parseLabelSelector } from '../../api/selectors.js';
import type { Resource } from '../../api/resource.js';
import type { SourceRequest } from '../../source/listerWatcher.js';
import type { ResourceInformerOptions } from '../informerOptions.js';

/** Values that a server may assume for a missing field. */
const zeroValues: ReadonlySet<string> = new Set(['', 'false', '0']);

/** Fields with another name in selectors. */
const aliases: Readonly<Record<string, string>> = { 'status.successful': 'status.succeeded' };

function valueOf(object: unknown, field: string): unknown {
  const path = (Object.hasOwn(aliases, field) ? aliases[field] : undefined) ?? field;
  let value = object;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

function holds({ field, operator, value: wanted }: FieldRequirement, object: unknown): boolean {
  const value = valueOf(object, field);
  const isText = ['string', 'number', 'boolean'].includes(typeof value);
  // Only the server knows the default of the field.
  if (!isText && zeroValues.has(wanted))
    throw new Error(`Only the server knows whether an object without ${field} matches the value '${wanted}'`);
  return (isText && String(value) === wanted) === (operator === '=');
}

/**
 * Whether a field selector matches an object, as far as the object shows.
 *
 * @throws Error when only the server can decide.
 */
function matchesFields(requirements: readonly FieldRequirement[], object: unknown): boolean {
  return requirements.every((requirement) => holds(requirement, object));
}

/** A client's writes to the objects of an informer. */
export interface OwnWrites<T> {
  readonly write$: Observable<ClientWrite>;
  /** The object that the source would emit for an answer of the server; undefined if its selectors exclude it. Throws if that cannot be decided. */
  readonly sourced: (written: KubernetesObject) => T | undefined;
  /** How many of them may await the cache. */
  readonly maxEntries?: number | undefined;
}

type Options<T, U> = Pick<
  ResourceInformerOptions<T, U>,
  'labelSelector' | 'fieldSelector' | 'managedFields' | 'metadataOnly' | 'tweakListOptions'
>;

/** A copy of an object as a list or watch would return it. The answer itself belongs to the caller of the write. */
function read<T, U>(written: KubernetesObject, { managedFields = 'drop', metadataOnly = false }: Options<T, U>): KubernetesObject {
  const object = JSON.parse(jsonTextOf(written)) as KubernetesObject;
  const { managedFields: managed, ...rest } = object.metadata ?? {};
  const metadata = managedFields === 'keep' && managed !== undefined ? { ...rest, managedFields: managed } : rest;
  return metadataOnly ? { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata } : { ...object, metadata };
}

/**
 * Selects a client's writes to a resource, in the current namespaces.
 *
 * @throws TypeError when the client has no `writes$`.
 */
export function ownWritesOf<T extends KubernetesObject, U>(
  { writes$ }: Partial<Pick<KubeClient, 'writes$'>>,
  resource: Resource<T, 'list' | 'watch'>,
  options: Options<T, U>,
  readYourWrites: true | { readonly maxEntries?: number | undefined },
  isCovered: (namespace: string) => boolean,
): OwnWrites<T> {
  if (readYourWrites !== true) checkOptions('readYourWrites', readYourWrites, { maxEntries: maxEntriesRule });
  if (!isObservable(writes$)) throw new TypeError('Expected a client with `writes$` for `readYourWrites`, got one without');
  const { tweakListOptions = (request: SourceRequest): SourceRequest => request } = options;
  const { labelSelector = '', fieldSelector = '' } = tweakListOptions({
    labelSelector: options.labelSelector,
    fieldSelector: options.fieldSelector,
  });
  const labels = parseLabelSelector(labelSelector);
  const fields = parseFieldSelector(fieldSelector);
  return {
    ...(readYourWrites !== true && readYourWrites),
    // A write to another version of the resource has another shape: it is ignored, and read from the cache later.
    write$: writes$.pipe(
      filter(
        ({ namespace, resource: { group, version, plural } }) =>
          group === resource.group && version === resource.version && plural === resource.plural && isCovered(namespace),
      ),
    ),
    sourced: (written) =>
      labels.matches(written.metadata?.labels) && matchesFields(fields, written) ? (read(written, options) as T) : undefined,
  };
}

/** Maintains a view of a cache with the client's own writes, while its informer runs. */
export interface WritesView<U> {
  readonly reader: ReadYourWrites<U>;
  /** Observes the source: the writes of a namespace that is removed are dropped. */
  followSource<T>(): MonoTypeOperatorFunction<SourceEvent<T>>;
  /** Called when the queue before the cache is empty. */
  readonly caughtUp: () => void;
  /** Observes the changes of the cache. The writes of a session are dropped at its end, since the cache will not catch up any more. */
  followChanges(): MonoTypeOperatorFunction<ResourceChange<U>>;
}

interface WritesViewOptions<T, U> extends Pick<ValueOptions<T, U>, 'transform' | 'freeze'> {
  readonly source: {
    readonly resource: string;
    readonly ownWrites?: OwnWrites<T> | undefined;
    readonly scopes?: ReadonlySet<string> | undefined;
  };
  readonly indexer: Indexer<U>;
  readonly versionOf: (scope: string) => string;
  /** Whether there is a queue before the cache. */
  readonly isQueued: boolean;
  readonly report: (error: InformerError) => void;
}

/** Reports that the limit of writes is reached: once, until no write waits any more. */
function overflowReports(resource: string, maxEntries: number, report: (error: InformerError) => void) {
  let isReported = false;
  return {
    report: (key: string): void => {
      if (isReported) return;
      isReported = true;
      const problem = `more than ${maxEntries} (\`maxEntries\`) are not in the cache yet, and the oldest are forgotten`;
      report(new InformerError({ code: 'ERR_OVERFLOW', message: `Own writes of ${resource}: ${problem}`, resource, key }));
    },
    end: (isEmpty: () => boolean): void => {
      if (isReported && isEmpty()) isReported = false;
    },
  };
}

/** Makes the cached form of the object in an answer, as the cache would. */
function projection<T, U>(
  { sourced }: OwnWrites<T>,
  indexer: Indexer<U>,
  making: ValueOptions<T, U>,
): (written: KubernetesObject) => U | undefined {
  return (written) => {
    const object = sourced(written);
    if (object === undefined) return undefined;
    const key = metaNamespaceKey(written);
    return valueFor(object, indexer.getByKey(key), making);
  };
}

/** Makes a view of writes; undefined for a source without writes. */
export function createWritesView<T, U>(options: WritesViewOptions<T, U>): WritesView<U> | undefined {
  const { source, indexer, versionOf, isQueued, report, ...making } = options;
  const { ownWrites, scopes, resource } = source;
  if (ownWrites === undefined) return undefined;
  const { maxEntries = Infinity } = ownWrites;
  const project = projection(ownWrites, indexer, making);

  /** The scopes whose source is ahead of the cache: those with events since the queue was last empty. */
  const ahead = new Set<string>();

  /** The version up to which the cache is complete for a key: with several scopes, that of the key's scope. */
  const reachedVersion = (key: string): string => {
    if (scopes === undefined) return indexer.lastStoreSyncResourceVersion();
    // A list of namespaces may contain `''`, all namespaces.
    const scope = scopes.has(namespaceOfKey(key)) ? namespaceOfKey(key) : '';
    return ahead.has(scope) ? '' : versionOf(scope);
  };

  const overflow = overflowReports(resource, maxEntries, report);
  const view = createReadYourWrites<U>(indexer, { project, reachedVersion, maxEntries, onForget: overflow.report });
  const noteWrite = (write: ClientWrite): void => {
    if (write.verb === 'delete') view.noteDelete(write);
    else if (write.object !== undefined) view.noteWrite(write.object);
  };

  const noting = { next: (event: ResourceEvent<U>): void => view.noteEvent(event) };

  return {
    reader: view,
    followSource: () =>
      tap((event) => {
        if (isQueued) ahead.add(event.scope ?? '');
        if (event.type === 'ready' && scopes?.has(event.scope) === false) view.clear((key) => key.startsWith(`${event.scope}/`));
      }),
    caughtUp: () => ahead.clear(),
    followChanges: () => (source) =>
      new Observable((subscriber) => {
        subscriber.add(ownWrites.write$.subscribe({ next: noteWrite, error: () => undefined }));
        subscriber.add(() => view.clear());
        const note = (change: ResourceChange<U>): void => {
          flattenChange(change, noting);
          overflow.end(() => view.pending() === 0);
        };
        subscriber.add(source.pipe(tap(note)).subscribe(subscriber));
      }),
  };
}
