import type { V1Deployment } from '../../api/kubernetes/appsV1.js';
import type { V1ConfigMap, V1Pod } from '../../api/kubernetes/coreV1.js';
import { resources } from '../../api/resources.js';
import { objectOf } from './objectOf.js';
import { type Overrides, withOverrides } from './withOverrides.js';

/**
 * A pod with one container; equal for equal arguments.
 *
 * @example
 * ```ts
 * import { pod } from 'rx-informer/testing';
 *
 * const before = pod('shop/web', { status: { phase: 'Pending' } });
 * const after = pod('shop/web', { metadata: { resourceVersion: '2' }, status: { phase: 'Running' } });
 * ```
 *
 * @param name - `namespace/name`, or `name` alone in the namespace `default`.
 * @param overrides - merged into it as by {@link objectOf}.
 */
export function pod(name: string, overrides?: Overrides<V1Pod>): V1Pod {
  const base = { spec: { containers: [{ name: 'main', image: 'nginx' }] } };
  return withOverrides<V1Pod>(objectOf(resources.core.v1.pods, name, base), overrides);
}

/**
 * A deployment with one replica of one container; equal for equal arguments.
 *
 * @example
 * ```ts
 * import { isReady } from 'rx-informer';
 * import { deployment } from 'rx-informer/testing';
 *
 * console.log(isReady(deployment('web', { spec: { replicas: 3 } }))); // false
 * ```
 *
 * @param name - `namespace/name`, or `name` alone in the namespace `default`.
 * @param overrides - merged into it as by {@link objectOf}.
 */
export function deployment(name: string, overrides?: Overrides<V1Deployment>): V1Deployment {
  const labels = { app: name.slice(name.indexOf('/') + 1) };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'nginx' }] } };
  const base = { spec: { replicas: 1, selector: { matchLabels: labels }, template } };
  return withOverrides<V1Deployment>(objectOf(resources.apps.v1.deployments, name, base), overrides);
}

/**
 * A config map without data; equal for equal arguments.
 *
 * @example
 * ```ts
 * import { configMap } from 'rx-informer/testing';
 *
 * const settings = configMap('shop/settings', { data: { size: '2' } });
 * ```
 *
 * @param name - `namespace/name`, or `name` alone in the namespace `default`.
 * @param overrides - merged into it as by {@link objectOf}.
 */
export function configMap(name: string, overrides?: Overrides<V1ConfigMap>): V1ConfigMap {
  return objectOf(resources.core.v1.configmaps, name, overrides);
}
