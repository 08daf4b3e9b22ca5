import { map, Observable, type MonoTypeOperatorFunction } from 'rxjs';
import type { SourceEvent } from '../../api/events.js';

type ScopeState = 'new' | 'listing' | 'live' | 'relisting';

/** For each kind of event: the states that it may follow, and the resulting state. */
const grammar: Readonly<Record<string, Partial<Record<ScopeState, ScopeState>>>> = {
  init: { new: 'listing', listing: 'listing', live: 'relisting', relisting: 'relisting' },
  page: { listing: 'listing', relisting: 'relisting' },
  ready: { listing: 'live', relisting: 'live' },
  added: { listing: 'listing', relisting: 'relisting', live: 'live' },
  modified: { listing: 'listing', relisting: 'relisting', live: 'live' },
  deleted: { listing: 'listing', relisting: 'relisting', live: 'live' },
  bookmark: { live: 'live' },
};

const words: Readonly<Record<ScopeState, string>> = {
  new: 'before any `init`',
  listing: 'inside a list',
  live: 'after a list',
  relisting: 'inside a list',
};

/** The keys of the objects in an event. */
function keysOf(event: SourceEvent<unknown>): readonly unknown[] {
  if (event.type === 'page') return event.keys ?? [];
  return 'key' in event ? [event.key] : [];
}

/** Errors in the details: boundaries need a version, and the reason of a list must match whether there was a list before. */
function detailProblem(event: SourceEvent<unknown>, state: ScopeState): string | undefined {
  if (event.type === 'init') {
    const first = state === 'new' || state === 'listing';
    if ((event.reason === 'first') !== first) return `reason ${JSON.stringify(event.reason)}`;
    if ((event.previousResourceVersion === '') !== first) return `previousResourceVersion ${JSON.stringify(event.previousResourceVersion)}`;
  }
  if (event.type === 'page' && event.keys !== undefined && event.keys.length !== event.items.length) {
    return `${event.keys.length} keys for ${event.items.length} items`;
  }
  if (keysOf(event).some((key) => typeof key !== 'string' || key === '')) return 'a key that is no text or empty';
  if (event.type !== 'init' && event.type !== 'deleted' && 'reason' in event) return `reason ${JSON.stringify(event.reason)}`;
  if ((event.type === 'ready' || event.type === 'bookmark') && event.resourceVersion === '') return 'an empty resourceVersion';
  if (event.type === 'status' && event.state === 'retrying' && (event.error === undefined || event.nextAttemptAt === undefined)) {
    return 'state "retrying" without an error or without the time of the next attempt';
  }
  return undefined;
}

/**
 * Passes on source events, and fails at the first one that the grammar of `SourceEvent` does not allow. Each scope is checked separately.
 *
 * ```text
 * source  init page ready page
 * result  init page ready #     Unexpected `page` after a list
 * ```
 *
 * @example
 * ```ts
 * import { reflect } from 'rx-informer/pipeline';
 * import { checkSourceGrammar, FakeListerWatcher } from 'rx-informer/testing';
 *
 * reflect(new FakeListerWatcher()).pipe(checkSourceGrammar()).subscribe();
 * ```
 */
export function checkSourceGrammar<T>(): MonoTypeOperatorFunction<SourceEvent<T>> {
  return (source) =>
    new Observable((subscriber) => {
      const states = new Map<string, ScopeState>();
      return source
        .pipe(
          map((event) => {
            const { type, scope = '' } = event;
            const state = states.get(scope) ?? 'new';
            const next = type === 'status' ? state : grammar[type]?.[state];
            const where = scope === '' ? '' : ` in scope ${JSON.stringify(scope)}`;
            if (next === undefined) throw new Error(`Unexpected \`${type}\` ${words[state]}${where}`);
            const problem = detailProblem(event, state);
            if (problem !== undefined) throw new Error(`Unexpected \`${type}\` with ${problem} ${words[state]}${where}`);
            states.set(scope, next);
            return event;
          }),
        )
        .subscribe(subscriber);
    });
}
