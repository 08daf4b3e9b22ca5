import { jsonTextOf } from '../../api/jsonTextOf.js';
import { filter, isObservable, type Observable } from 'rxjs';
import { parseFieldSelector, type FieldRequirement } from '../../api/selectors/fieldSelector.js';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import { parseLabelSelector } from '../../api/selectors/parseLabelSelector.js';
import type { Resource } from '../../api/resource.js';
import type { ClientWrite, KubeClient } from '../../client/kubeClient.js';
import type { SourceRequest } from '../../source/listerWatcherOptions.js';
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

/** An object as a list or watch would bring it, in a copy: the answer belongs to whoever has asked for the write. */
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
