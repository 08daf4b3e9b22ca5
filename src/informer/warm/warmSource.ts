import { concat, concatMap, defer, filter, isObservable, map, type Observable } from 'rxjs';
import { checkOptions } from '../../api/options/checkOptions.js';
import { apiVersionOf } from '../../api/apiVersionOf.js';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { SourceEvent } from '../../api/events/sourceEvent.js';
import type { Resource } from '../../api/resource.js';
import { resourceName } from '../../api/resourceName.js';
import { resourcePath } from '../../api/resourcePath.js';
import type { ResourceInformerOptions } from '../informerOptions.js';
import { WarmStart } from './warmStart.js';
import { type WarmStartOptions, warmStartRules } from './warmStartOptions.js';
import { listDecoder, type ListShape } from '../../client/decode/listDecoder.js';

const text = new TextEncoder();
const beginning = text.encode('{"items":[');
const comma = text.encode(',');
const end = text.encode(']}');

/**
 * Decodes saved objects as a list from the server is decoded, so that they share with those what they have in common.
 *
 * @param parts - JSON of whole objects, with a comma between two.
 * @internal
 */
function savedItems<T>(parts: Observable<Uint8Array>, shape: ListShape, sharedBy: object | undefined): Observable<readonly T[]> {
  return defer(() => {
    const decoder = listDecoder<T>(shape, sharedBy);
    const separated$ = parts.pipe(concatMap((part, index) => (index === 0 ? [part] : [comma, part])));
    return concat([beginning], separated$, [end]).pipe(
      map((bytes) => {
        const items: T[] = [];
        decoder.push(bytes, (chunk) => items.push(...chunk.items));
        return items;
      }),
      filter((items) => items.length > 0),
    );
  });
}

/** What a warm start needs of an informer's source. */
export interface WarmSourceInit<T, U> {
  readonly resource: Resource<T, 'list' | 'watch'>;
  readonly options: ResourceInformerOptions<T, U>;
  readonly server: (() => Promise<string>) | undefined;
  /** What shares the objects of the informer. */
  readonly sharedBy: object | undefined;
  /** The source of one namespace, from a version or from nothing. */
  events(namespace: string, from?: string): Observable<SourceEvent<T>>;
}

function check<T, U>({ resource, options, server }: WarmSourceInit<T, U>, warmStart: WarmStartOptions): void {
  const { transform, deltaFifo = false, initialObjects, readYourWrites = false, namespace, shard } = options;
  checkOptions('createInformer.warmStart', warmStart, warmStartRules);
  const refuse = (why: string): never => {
    throw new TypeError(`The informer of ${resourceName(resource)} cannot have a \`warmStart\`: ${why}`);
  };
  if (resource.group === '' && resource.plural === 'secrets' && warmStart.secrets !== true) {
    refuse('Secrets would be written down; `secrets: true` allows it');
  }
  if (transform !== undefined) refuse('what a `transform` made cannot be told from what it would make today');
  if (deltaFifo !== false) refuse('what waits in its DeltaFIFO is not in the cache yet');
  if (initialObjects !== undefined) refuse('it has `initialObjects`');
  if (shard !== undefined) refuse('its shard changes');
  if (readYourWrites) refuse('it has `readYourWrites`');
  if (isObservable(namespace)) refuse('its namespaces change');
  if (server === undefined) refuse('its client does not say which server it talks to');
}

/**
 * The warm start of an informer on a resource, if its options ask for one.
 *
 * @throws TypeError when it cannot have one.
 * @internal
 */
export function warmSource<T extends KubernetesObject, U>(init: WarmSourceInit<T, U>): WarmStart<T, U> | undefined {
  const { resource, options, server, sharedBy } = init;
  const {
    warmStart,
    namespace = '',
    labelSelector,
    fieldSelector,
    managedFields = 'drop',
    metadataOnly = false,
    tweakListOptions,
  } = options;
  if (warmStart === undefined) return undefined;
  check(init, warmStart);
  const scopes = typeof namespace === 'string' ? [namespace] : [...new Set(namespace as readonly string[])].sort();
  const tweaked = tweakListOptions?.({});
  const selection = { labelSelector, fieldSelector, managedFields, metadataOnly, tweaked };
  return new WarmStart<T, U>({
    resource: resourceName(resource),
    store: warmStart.store,
    saveEveryMs: warmStart.saveEveryMs ?? 60_000,
    scopes,
    identity: async () => JSON.stringify([await server?.(), resourcePath(resource), scopes, selection]),
    source: {
      events: (scope, from) => init.events(scope, from),
      decode: (scope, parts) =>
        savedItems(
          parts,
          { resource: resourceName(resource), apiVersion: apiVersionOf(resource), kind: resource.kind, managedFields, metadataOnly, scope },
          sharedBy,
        ),
    },
  });
}
