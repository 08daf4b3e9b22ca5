import type { SourceConformanceCase } from './sourceConformanceCase.js';
import { sourceConnectionCases } from './sourceCases/sourceConnectionCases.js';
import { sourceFallbackCases } from './sourceCases/sourceFallbackCases.js';
import { sourceListCases } from './sourceCases/sourceListCases.js';
import { sourceListFailureCases } from './sourceCases/sourceListFailureCases.js';
import { sourceOptionCases } from './sourceCases/sourceOptionCases.js';
import { sourceTrustCases } from './sourceCases/sourceTrustCases.js';
import { sourceWatchCases } from './sourceCases/sourceWatchCases.js';
import { sourceWatchListCases } from './sourceCases/sourceWatchListCases.js';

/**
 * The required behaviour of sources over a lister-watcher: the server is scripted in marbles, and each expected
 * request and notification is in a log with its time. For any test runner: each case has a name, and throws when it fails.
 *
 * @example
 * ```ts
 * import { reflect } from 'rx-informer/pipeline';
 * import { sourceConformance } from 'rx-informer/testing';
 *
 * for (const { name, run } of sourceConformance) {
 *   run(reflect);
 *   console.log('ok', name);
 * }
 * ```
 */
export const sourceConformance: readonly SourceConformanceCase[] = [
  ...sourceListCases,
  ...sourceListFailureCases,
  ...sourceWatchCases,
  ...sourceConnectionCases,
  ...sourceWatchListCases,
  ...sourceFallbackCases,
  ...sourceOptionCases,
  ...sourceTrustCases,
];
