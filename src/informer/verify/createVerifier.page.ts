import { notInPages } from '../../api/notInPages.js';
import { warmParts, type WarmStore } from '../warm/warmParts.js';
import type * as whole from './createVerifier.js';

/** In a page, the verifier comes with a store for pages. */
export const createVerifier: typeof whole.createVerifier = (resource, options) => {
  const { [warmParts]: parts } = (options.warmStart?.store ?? {}) as Partial<WarmStore>;
  if (parts !== undefined) return parts.createVerifier(resource, options);
  return options.verification === undefined ? undefined : notInPages('`verification` without a `warmStart`');
};
