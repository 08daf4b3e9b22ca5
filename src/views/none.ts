/**
 * A label selector that selects nothing, for `read`: what a Service without a selector selects.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { derive, none } from 'rx-informer/views';
 *
 * const services = createInformer(createClient(), resources.core.v1.services);
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * const backends = derive(services, ({ metadata, spec }, read) =>
 *   read(pods, { namespace: metadata?.namespace, labelSelector: spec?.selector ?? none }),
 * );
 * ```
 */
export const none: unique symbol = Symbol.for('rx-informer.none') as never;
