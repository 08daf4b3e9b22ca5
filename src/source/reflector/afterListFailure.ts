import type { InformerErrorCode } from '../../api/errors/informerError.js';
import { classifyFailure, type FailureKind } from './classifyFailure.js';

/**
 * What to do after a list that failed: list again at once without asking for a version, or after a backoff; and what to report.
 *
 * @internal
 */
export interface AfterListFailure {
  readonly next: 'mostRecent' | 'later';
  readonly code: InformerErrorCode;
}

const codes: Partial<Record<FailureKind, InformerErrorCode>> = {
  credentials: 'ERR_AUTH',
  unauthorized: 'ERR_AUTH',
  notServed: 'ERR_NOT_SERVED',
  decode: 'ERR_DECODE',
};

/**
 * Decides what follows a list that failed.
 *
 * @param resourceVersion - The version it asked for, `''` for none.
 * @internal
 */
export function afterListFailure(error: unknown, resourceVersion: string): AfterListFailure {
  const kind = classifyFailure(error);
  const ofVersion = kind === 'expired' || kind === 'tooLargeResourceVersion';
  return { next: ofVersion && resourceVersion !== '' ? 'mostRecent' : 'later', code: codes[kind] ?? 'ERR_LIST' };
}
