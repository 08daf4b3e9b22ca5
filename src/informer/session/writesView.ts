import { filter, isObservable, type MonoTypeOperatorFunction, Observable, tap } from 'rxjs';
import type { ResourceChange, ResourceEvent, SourceEvent } from '../../api/events.js';
import type { Indexer } from '../../cache/store/store.js';
import { metaNamespaceKey } from '../../cache/keys.js';
import { createReadYourWrites, type ReadYourWrites } from '../../cache/createReadYourWrites.js';
import type { ClientWrite, KubeClient } from '../../client/kubeClient.js';
import { createObjectIntake, failed, type ObjectIntakeOptions } from '../../delta/index/objectIntake.js';
import { flattenChange } from '../../delta/share/shareWithSnapshot.js';
import { type KubernetesObject, namespaceOfKey } from '../../api/kubernetesObject.js';
import { jsonTextOf } from '../../api/jsonTextOf.js';
import { type FieldRequirement, parseFieldSelector, parseLabelSelector } from '../../api/selectors.js';
import type { Resource } from '../../api/resource.js';
import type { SourceRequest } from '../../source/listerWatcher.js';
import type { ResourceInformerOptions } from '../informerOptions.js';

/** What a server may read from a field that an object leaves out. */
const zeroValues: ReadonlySet<string> = new Set(['', 'false', '0']);

/** Fields that have another name in selectors. */
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
  // Which of them it is, only the server knows.
  if (!isText && zeroValues.has(wanted)) throw new Error(`Whether an object without ${field} has the value '${wanted}' there is not known`);
  return (isText && String(value) === wanted) === (operator === '=');
}

/**
 * Whether a field selector selects an object, as far as that can be told from the object.
 *
 * @throws Error where only the server can tell.
 */
function matchesFields(requirements: readonly FieldRequirement[], object: unknown): boolean {
  return requirements.every((requirement) => holds(requirement, object));
}

/** The writes that a client makes to what an informer is about. */
export interface OwnWrites<T> {
  readonly write$: Observable<ClientWrite>;
  /** What the source would bring of an object that the server answered with; undefined where it would not. Throws where that cannot be told. */
  readonly sourced: (written: KubernetesObject) => T | undefined;
}

type Options<T, U> = Pick<
  ResourceInformerOptions<T, U>,
  'labelSelector' | 'fieldSelector' | 'managedFields' | 'metadataOnly' | 'tweakListOptions'
>;

/** A copy of an object as a list or watch would bring it. The answer itself belongs to the caller of the write. */
function read<T, U>(written: KubernetesObject, { managedFields = 'drop', metadataOnly = false }: Options<T, U>): KubernetesObject {
  const object = JSON.parse(jsonTextOf(written)) as KubernetesObject;
  const { managedFields: managed, ...rest } = object.metadata ?? {};
  const metadata = managedFields === 'keep' && managed !== undefined ? { ...rest, managedFields: managed } : rest;
  return metadataOnly ? { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata } : { ...object, metadata };
}

/**
 * Picks a client's writes to a resource, in the namespaces that are covered at the time.
 *
 * @throws TypeError when the client does not tell its writes.
 */
export function ownWritesOf<T extends KubernetesObject, U>(
  { writes$ }: Partial<Pick<KubeClient, 'writes$'>>,
  resource: Resource<T, 'list' | 'watch'>,
  options: Options<T, U>,
  isCovered: (namespace: string) => boolean,
): OwnWrites<T> {
  if (!isObservable(writes$)) throw new TypeError('Expected a client with `writes$` for `readYourWrites`, got one without');
  const { tweakListOptions = (request: SourceRequest): SourceRequest => request } = options;
  const { labelSelector = '', fieldSelector = '' } = tweakListOptions({
    labelSelector: options.labelSelector,
    fieldSelector: options.fieldSelector,
  });
  const labels = parseLabelSelector(labelSelector);
  const fields = parseFieldSelector(fieldSelector);
  return {
    // Another version of the resource has another shape: its writes show when the cache has them.
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

/** Keeps a view of a cache in which a client's own writes show, while its informer runs. */
export interface WritesView<U> {
  readonly reader: ReadYourWrites<U>;
  /** Follows what the source emits: a namespace that has been left keeps no writes. */
  followSource<T>(): MonoTypeOperatorFunction<SourceEvent<T>>;
  /** Takes note that nothing waits before the cache: everything that the source has emitted is in it. Only for a cache behind a queue. */
  readonly caughtUp: () => void;
  /** Follows what becomes of it in the cache. The writes of a session go with it: nothing will catch up any more. */
  followChanges(): MonoTypeOperatorFunction<ResourceChange<U>>;
}

interface WritesViewOptions<T, U> extends Pick<ObjectIntakeOptions<T, U>, 'transform' | 'freeze'> {
  readonly source: { readonly ownWrites?: OwnWrites<T> | undefined; readonly scopes?: ReadonlySet<string> | undefined };
  readonly indexer: Indexer<U>;
  readonly versionOf: (scope: string) => string;
  /** Whether what the source emits may wait before the cache. */
  readonly isQueued: boolean;
}

/** The versions of the scopes of a cache behind a queue. What the source has emitted is ahead of the cache while anything waits. */
class QueuedVersions {
  private readonly versionOf: (scope: string) => string;
  /** The scopes of which something has come since nothing waited. */
  private readonly ahead = new Set<string>();
  /** The versions when nothing waited. */
  private readonly versions = new Map<string, string>();

  constructor(versionOf: (scope: string) => string) {
    this.versionOf = versionOf;
  }

  come(scope: string): void {
    this.ahead.add(scope);
  }

  caughtUp(): void {
    for (const scope of this.ahead) this.versions.set(scope, this.versionOf(scope));
    this.ahead.clear();
  }

  /** The version up to which the cache is complete; `''` while that is not known. */
  reached(scope: string): string {
    return this.versions.get(scope) ?? '';
  }
}

/** Makes one; undefined for a source that knows no writes. */
export function createWritesView<T, U>(options: WritesViewOptions<T, U>): WritesView<U> | undefined {
  const { source, indexer, versionOf, isQueued, ...making } = options;
  const { ownWrites, scopes } = source;
  if (ownWrites === undefined) return undefined;
  const intake = createObjectIntake<T, U>(making);

  const project = (written: KubernetesObject): U | undefined => {
    const object = ownWrites.sourced(written);
    if (object === undefined) return undefined;
    const key = metaNamespaceKey(written);
    const value = intake.valueOf(key, object, indexer.getByKey(key));
    if (value === failed) throw new Error(`${key} cannot be transformed`);
    return value;
  };

  const queued = isQueued && scopes !== undefined ? new QueuedVersions(versionOf) : undefined;

  /** The version up to which the cache is complete for a key. With several scopes, it is that of the key's own. */
  const reachedVersion = (key: string): string => {
    if (scopes === undefined) return indexer.lastStoreSyncResourceVersion();
    // A list of namespaces may say `''`: all of them.
    const scope = scopes.has(namespaceOfKey(key)) ? namespaceOfKey(key) : '';
    return queued === undefined ? versionOf(scope) : queued.reached(scope);
  };

  const view = createReadYourWrites<U>(indexer, { project, reachedVersion });
  const noteWrite = (write: ClientWrite): void => {
    if (write.verb === 'delete') view.noteDelete(write);
    else if (write.object !== undefined) view.noteWrite(write.object);
  };

  const noting = { next: (event: ResourceEvent<U>): void => view.noteEvent(event) };

  return {
    reader: view,
    followSource: () =>
      tap((event) => {
        queued?.come(event.scope ?? '');
        if (event.type === 'ready' && scopes?.has(event.scope) === false) view.clear((key) => key.startsWith(`${event.scope}/`));
      }),
    caughtUp: () => queued?.caughtUp(),
    followChanges: () => (source) =>
      new Observable((subscriber) => {
        subscriber.add(ownWrites.write$.subscribe({ next: noteWrite, error: () => undefined }));
        subscriber.add(() => view.clear());
        subscriber.add(source.pipe(tap((change) => flattenChange(change, noting))).subscribe(subscriber));
      }),
  };
}
