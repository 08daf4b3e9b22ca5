import type { ResourceInformerOptions } from '../informerOptions.js';
import { type Verifier, verifierOf } from './verifier.js';

/** The verifier of an informer, if its options ask for one. @throws TypeError when the informer cannot be verified. */
export function createVerifier<T, U>(resource: string, options: ResourceInformerOptions<T, U>): Verifier | undefined {
  return verifierOf(resource, options);
}
