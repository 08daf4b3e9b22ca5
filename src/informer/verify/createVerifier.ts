import type { ResourceInformerOptions } from '../informerOptions.js';
import { type Verifier, verifierOf } from './verifier.js';

/** What verifies the cache of an informer by itself, if its options ask for it. @throws TypeError when it cannot be verified. */
export function createVerifier<T, U>(resource: string, options: ResourceInformerOptions<T, U>): Verifier | undefined {
  return verifierOf(resource, options);
}
