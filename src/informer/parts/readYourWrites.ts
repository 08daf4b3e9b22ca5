import { filter, isObservable, Observable, tap } from 'rxjs';
import type { ResourceChange, ResourceEvent } from '../../api/events.js';
import { type Identity, type KubernetesObject, metaNamespaceKey, namespaceOfKey, objectIdentity } from '../../api/kubernetesObject.js';
import { ReadYourWrites } from '../../cache/readYourWrites.js';
import type { ClientWrite } from '../../client/kubeClient.js';
import { valueFor, type ValueOptions } from '../../delta/index/cachedObjects.js';
import { flattenChange } from '../../delta/share/shareWithSnapshot.js';
import { valueAt } from '../../api/json.js';
import { jsonTextOf } from '../../api/jsonTextOf.js';
import { type FieldRequirement, parseFieldSelector, parseLabelSelector } from '../../api/selectors.js';
import type { SourceRequest } from '../../source/listerWatcher.js';
import { type Attached, type InformerPart, originFor, type PartOrigin, type PartSetup, type PluggedInformer } from './part.js';

/** Values that a server may assume for a missing field. */
const zeroValues: ReadonlySet<string> = new Set(['', 'false', '0']);

/** Fields with another name in selectors. */
const aliases: Readonly<Record<string, string>> = { 'status.successful': 'status.succeeded' };

/**
 * Whether an object meets a requirement of a field selector, as far as the object shows.
 *
 * @throws Error when only the server can decide.
 */
function holds({ field, operator, value: wanted }: FieldRequirement, object: unknown): boolean {
  const path = (Object.hasOwn(aliases, field) ? aliases[field] : undefined) ?? field;
  const value = valueAt(object, ...path.split('.'));
  const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  // Only the server knows the default of the field.
  if (!isText && zeroValues.has(wanted))
    throw new Error(`Only the server knows whether an object without ${field} matches the value '${wanted}'`);
  return (isText && String(value) === wanted) === (operator === '=');
}

/** A copy of an object as a list or watch would return it. The answer itself belongs to the caller of the write. */
function read(written: KubernetesObject, { managedFields = 'drop', metadataOnly = false }: PartOrigin): KubernetesObject {
  const object = JSON.parse(jsonTextOf(written)) as KubernetesObject;
  const { managedFields: managed, ...rest } = object.metadata ?? {};
  const metadata = managedFields === 'keep' && managed !== undefined ? { ...rest, managedFields: managed } : rest;
  return metadataOnly ? { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata } : { ...object, metadata };
}

/** The client's writes to the objects of an informer. @throws TypeError when the client has no `writes$`. */
function ownWritesOf(origin: PartOrigin) {
  const { client, of, scopes, tweakListOptions = (request: SourceRequest): SourceRequest => request } = origin;
  const { writes$ } = client;
  if (!isObservable(writes$)) throw new TypeError('Expected a client with `writes$` for `readYourWrites`, got one without');
  const { labelSelector = '', fieldSelector = '' } = tweakListOptions({
    labelSelector: origin.labelSelector,
    fieldSelector: origin.fieldSelector,
  });
  const labels = parseLabelSelector(labelSelector);
  const fields = parseFieldSelector(fieldSelector);
  return {
    // A write to another version of the resource has another shape: it is ignored, and read from the cache later.
    write$: writes$.pipe(
      filter(
        ({ namespace, resource: { group, version, plural } }) =>
          group === of.group && version === of.version && plural === of.plural && (scopes.has(namespace) || scopes.has('')),
      ),
    ),
    /** The object that the source would emit for an answer of the server; undefined if its selectors exclude it. Throws if that cannot be decided. */
    sourced: (written: KubernetesObject): KubernetesObject | undefined =>
      labels.matches(written.metadata?.labels) && fields.every((field) => holds(field, written)) ? read(written, origin) : undefined,
  };
}

/** The view of a cache with the client's own writes, while its informer runs. */
function writesView(
  writes: ReturnType<typeof ownWritesOf>,
  making: ValueOptions<unknown, unknown>,
  owns: PartSetup['owns'],
  plugged: PluggedInformer,
): Attached {
  const { store: indexer, sent, scopes, informer } = plugged;

  /** Makes the cached form of the object in an answer, as the cache would. */
  const project = (written: KubernetesObject): unknown => {
    const object = writes.sourced(written);
    return object === undefined ? undefined : valueFor(object, indexer.getByKey(metaNamespaceKey(written)), making);
  };

  /** The version up to which the cache is complete for a key: with several scopes, that of the key's scope. */
  const reachedVersion = (key: string): string => {
    if (scopes === undefined) return indexer.lastStoreSyncResourceVersion();
    // A list of namespaces may contain `''`, all namespaces.
    return informer.lastSyncResourceVersion(scopes.has(namespaceOfKey(key)) ? namespaceOfKey(key) : '');
  };

  const identityOf = (key: string, cached: unknown): Identity => sent.get(key) ?? objectIdentity(cached);
  const view = new ReadYourWrites<unknown>({ indexer, identityOf, project, reachedVersion, owns });
  const noteWrite = (write: ClientWrite): void => {
    if (write.verb === 'delete') view.noteDelete(write);
    else if (write.object !== undefined) view.noteWrite(write.object);
  };
  const noting = { next: (event: ResourceEvent<unknown>): void => view.noteEvent(event) };

  return {
    shown: view as unknown as ReadYourWrites<never>,
    // The writes of a namespace that is removed are dropped.
    followSource: (events) =>
      events.pipe(
        tap((event) => {
          if (event.type === 'ready' && scopes?.has(event.scope) === false) view.clear((key) => key.startsWith(`${event.scope}/`));
        }),
      ),
    // The writes of a session are dropped at its end, since the cache will not catch up any more.
    followChanges: <T>(changes: Observable<ResourceChange<T>>) =>
      new Observable<ResourceChange<T>>((subscriber) => {
        subscriber.add(writes.write$.subscribe({ next: noteWrite, error: () => undefined }));
        subscriber.add(() => view.clear());
        subscriber.add(changes.pipe(tap<ResourceChange<T>>((change) => flattenChange(change, noting))).subscribe(subscriber));
      }),
  };
}

/**
 * Lets an informer's `lister` show the client's own writes as soon as the server has answered them, until the cache has them. `indexer` and all observables are
 * unaffected. Writes that the selectors exclude, and those to objects of other shards, are not shown; `tweakListOptions` is called once to learn the selectors.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { readYourWrites } from 'rx-informer/pipeline';
 *
 * const client = createClient();
 * const { configmaps } = resources.core.v1;
 * const settings = createInformer(client, configmaps, { namespace: 'default', parts: [readYourWrites()] });
 * await settings.whenSynced();
 * await client.create(configmaps, { metadata: { name: 'read-at-once', namespace: 'default' } });
 * console.log(settings.lister.get('default/read-at-once'));
 * ```
 *
 * It keeps what the server has answered and the cache does not have: with a watch that fails for long, as much as the program writes meanwhile.
 */
export function readYourWrites(): InformerPart {
  return {
    part: 'readYourWrites',
    plug: (setup) => {
      const writes = ownWritesOf(originFor('readYourWrites', setup));
      const making = { transform: setup.transform as ValueOptions<unknown, unknown>['transform'], freeze: setup.freeze };
      return { attach: (plugged) => writesView(writes, making, setup.owns, plugged) };
    },
  };
}
