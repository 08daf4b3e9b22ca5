import type { Resource } from '../api/resource.js';

/** Whether a value describes a resource. */
export function isResource<T>(value: unknown): value is Resource<T, 'list' | 'watch'> {
  return typeof value === 'object' && value !== null && 'plural' in value && 'verbs' in value;
}
