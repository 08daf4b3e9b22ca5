import type { ApiError } from '../../../api/errors/apiError.js';
import type { KubernetesObject } from '../../../api/kubernetesObject.js';
import { initialEventsEndAnnotation, type WatchEvent } from '../../../api/listerWatcher.js';
import { expiredStatus, statusError } from '../../fakes/serverErrors.js';
import { bookmarkOf, errorEventOf, listOf, podOf, type ScriptedAnswer, type SourceScript, watchEventOf } from '../sourceConformanceCase.js';

type More = Partial<Omit<SourceScript, 'name' | 'log'>>;

/** Shortly after the last line of a log. */
const shortlyAfter = (log: readonly string[]): number => Number.parseInt(log.at(-1) ?? '0', 10) + 98;

/** A script without streamed lists. */
export function listing(
  name: string,
  lists: readonly ScriptedAnswer[],
  log: readonly string[],
  { options, ...more }: More = {},
): SourceScript {
  return { name, lists, log, untilMs: shortlyAfter(log), options: { listStrategy: 'list', ...options }, ...more };
}

export const a: KubernetesObject = podOf('a', '1');
export const list: ScriptedAnswer = ['(l|)', { l: listOf('10', [a]) }];
export const open: ScriptedAnswer = ['o'];
/** Ends the first watch with a 410, so that a list at version 10 follows at 801. */
export const expiring: ScriptedAnswer = ['oe', { e: errorEventOf(expiredStatus('10', '11')) }];
export const added: WatchEvent<KubernetesObject> = watchEventOf('ADDED', podOf('b', '12'));

/** A script for what comes after the first list. */
export function watching(
  name: string,
  watches: readonly ScriptedAnswer[],
  log: readonly string[],
  { lists = [], ...more }: More = {},
): SourceScript {
  const listed = '0 listing, init first, LIST 0 limit=500, page a@1, ready 10, WATCH 10';
  return listing(name, [list, ...lists], [listed, ...log], { watches, looks: [], untilMs: 900, ...more });
}

export const relist: readonly ScriptedAnswer[] = [['(l|)', { l: listOf('20', [a]) }]];

export function relistedAt(ms: number, reason: string, from = '10'): string {
  return `${ms} listing, init ${reason} ${from}, LIST ${from}, page a@1, ready 20, WATCH 20, watching`;
}

/** A script with streamed lists. */
export function streaming(name: string, watches: readonly ScriptedAnswer[], log: readonly string[], more: More = {}): SourceScript {
  return { name, watches, log, untilMs: shortlyAfter(log), ...more };
}

export const addedPod = (name: string, version: string): unknown => watchEventOf('ADDED', podOf(name, version));
export const marker = (version: string, value = 'true'): unknown => bookmarkOf(version, { [initialEventsEndAnnotation]: value });
export const invalid: ApiError = statusError(422, 'Invalid', 'sendInitialEvents is forbidden');

/** The beginning of the log of a streamed list. */
export const begun: string = '0 listing, init first, WATCHLIST';

/** The same, listed instead after `ms`. */
export function listedAt(ms: number): string {
  return `${ms} listing ERR_WATCH_LIST, init first, LIST 0 limit=500, page a@1, ready 10, WATCH 10, watching`;
}
