import type { ApiError } from '../../../api/errors/apiError.js';
import { initialEventsEndAnnotation } from '../../../api/listerWatcher.js';
import { statusError } from '../../fakes/serverErrors.js';
import { bookmarkOf, listOf, podOf, type ScriptedAnswer, watchEventOf } from '../sourceConformanceCase.js';

export const added = (name: string, version: string): unknown => watchEventOf('ADDED', podOf(name, version));
export const marker = (version: string, value = 'true'): unknown => bookmarkOf(version, { [initialEventsEndAnnotation]: value });

/** The beginning of the log of all these cases. */
export const begun: string = '0 listing, init first, WATCHLIST';

/** The same, listed instead after `ms`. */
export function listedAt(ms: number): string {
  return `${ms} listing ERR_WATCH_LIST, init first, LIST 0 limit=500, page a@1, ready 10, WATCH 10, watching`;
}

export const list: ScriptedAnswer = ['(l|)', { l: listOf('10', [podOf('a', '1')]) }];

export const invalid: ApiError = statusError(422, 'Invalid', 'sendInitialEvents is forbidden');
