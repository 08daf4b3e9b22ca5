import type { Status } from './status.js';

/** Whether a value is a Status object of the API server. */
export function isStatus(value: unknown): value is Status {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, apiVersion } = value as { kind?: unknown; apiVersion?: unknown };
  return kind === 'Status' && (apiVersion === undefined || apiVersion === 'v1' || apiVersion === 'meta.k8s.io/v1');
}
