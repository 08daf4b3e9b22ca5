import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { ListerWatcher } from '../../api/listerWatcher.js';
import type { WatchEvent } from '../../api/events/watchEvent.js';

const knownTypes: ReadonlySet<string> = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK']);

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/**
 * Why an event of a watch cannot be used; `undefined` when it can.
 *
 * An object that does not say its kind is taken: sources made by hand leave it out.
 *
 * @internal
 */
export function watchEventProblem(event: WatchEvent<KubernetesObject>, expected: ListerWatcher<unknown>['expected']): string | undefined {
  // What is on the wire need not be what the types say.
  const { type, object } = event as { readonly type: string; readonly object: KubernetesObject | null | undefined };
  if (!knownTypes.has(type)) return `of unknown type ${JSON.stringify(type)}`;
  if (!isObject(object) || !isObject(object.metadata)) return `${type} whose object has no metadata`;
  if (expected === undefined || object.kind === undefined) return undefined;
  const { apiVersion = expected.apiVersion, kind } = object;
  if (kind === expected.kind && apiVersion === expected.apiVersion) return undefined;
  return `${type} with a ${apiVersion} ${kind} instead of a ${expected.apiVersion} ${expected.kind}`;
}
