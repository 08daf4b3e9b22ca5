/**
 * For programs that come from `@kubernetes/client-node`, or need its logins.
 *
 * @packageDocumentation
 */
export { toClientNode } from '../client/toClientNode.js';
export { makeInformer } from './makeInformer.js';
export { clientNodeAuth } from './clientNodeAuth.js';

export type { ClientNodeInformer } from './makeInformer.js';
