import { Observable } from 'rxjs';
import { checkOptions, definedOf, describeValue, type OptionRules, rules } from '../../api/options.js';
import { escapeFieldValue } from '../../api/selectors.js';
import { keyOfObjectName, type KubernetesObject } from '../../api/kubernetesObject.js';
import { type Resource, resourceName } from '../../api/resource.js';
import { follow } from '../../rx/trampoline.js';
import { createInformer } from '../createInformer.js';
import type { InformerClient } from '../parts/part.js';
import { type ResourceInformerOptions, resourceInformerRules } from '../informerOptions.js';
import type { SharedInformer } from '../sharedInformer.js';

/** Options of `createObjectInformer`. */
export interface ObjectInformerOptions<T, U = T> extends Omit<
  ResourceInformerOptions<T, U>,
  'namespace' | 'labelSelector' | 'fieldSelector'
> {
  /** The namespace of the object; required for a namespaced resource. */
  readonly namespace?: string | undefined;
}

/** A live copy of one object. */
export interface ObjectInformer<T> {
  /** The object now, undefined when it does not exist, then after every change. Emits nothing before the first answer of the server. */
  readonly object$: Observable<T | undefined>;
  /** The cached object; with `readYourWrites`, a newer write of this client. */
  get(): T | undefined;
  /** The underlying informer, to start and stop it, and for health and errors. */
  readonly informer: SharedInformer<T>;
}

const { labelSelector: _, fieldSelector: __, ...others } = resourceInformerRules;
const objectRules: OptionRules<ObjectInformerOptions<never>> = { ...others, namespace: rules.string };

function objectsOf<T>({ resource$, indexer }: SharedInformer<T>, key: string): Observable<T | undefined> {
  return new Observable((subscriber) => {
    let synced = false;
    follow(resource$, subscriber, {
      next: (event) => {
        if (event.type === 'synced') {
          if (!synced) subscriber.next(indexer.getByKey(key));
          synced = true;
        } else if (synced && event.key === key) {
          subscriber.next(event.type === 'deleted' ? undefined : event.object);
        }
      },
    });
  });
}

/**
 * Makes an informer for one object, which may be created and deleted at any time.
 *
 * ```text
 * server    -        +a      ~a      -a      +a (another uid)
 * object$   undefined a1      a2      undefined a1
 * ```
 *
 * @example
 * ```ts
 * import { createClient, createObjectInformer, resources } from 'rx-informer';
 *
 * const settings = createObjectInformer(createClient(), resources.core.v1.configmaps, 'settings', { namespace: 'default' });
 * settings.object$.subscribe((configMap) => console.log(configMap?.data));
 * ```
 *
 * @throws TypeError when the name is empty or has a slash, when the resource is namespaced and no namespace is given, or when an option is wrong.
 */
export function createObjectInformer<T extends KubernetesObject, U = T>(
  client: InformerClient,
  resource: Resource<T, 'list' | 'watch'>,
  name: string,
  objectOptions: ObjectInformerOptions<T, U> = {},
): ObjectInformer<U> {
  checkOptions<ObjectInformerOptions<T, U>>('createObjectInformer', objectOptions, objectRules);
  const { namespace = '', ...options } = objectOptions;
  if (typeof name !== 'string' || name === '' || name.includes('/'))
    throw new TypeError(`Expected \`name\` to be the name of an object, got ${describeValue(name)}`);
  if (resource.namespaced && (typeof namespace !== 'string' || namespace === '')) {
    throw new TypeError(
      `Expected \`namespace\` to be the namespace of one of the ${resourceName(resource)}, got ${describeValue(namespace)}`,
    );
  }
  const key = keyOfObjectName({ namespace, name });
  const informer = createInformer<T, U>(client, resource, {
    name: `${resourceName(resource)} ${key}`,
    ...definedOf(options),
    namespace,
    fieldSelector: `metadata.name=${escapeFieldValue(name)}`,
  });
  return { informer, get: () => informer.lister.get(key), object$: objectsOf(informer, key) };
}
