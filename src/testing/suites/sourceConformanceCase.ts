import assert from 'node:assert/strict';
import { defer, map, NEVER, type Observable, of, type Subscription } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { SourceEvent } from '../../api/events.js';
import type { Status } from '../../api/errors/apiError.js';
import type { ListChunk, ListerWatcher, ListRequest, WatchChunk, WatchEvent, WatchRequest } from '../../api/listerWatcher.js';
import type { ReflectOptions } from '../../source/reflector/reflectOptions.js';
import { checkSourceGrammar } from './checkSourceGrammar.js';

/**
 * Makes the source under test over a lister-watcher. The options are those of `reflect`, with a virtual scheduler and a constant `random`.
 */
export type SourceFactory = (
  listerWatcher: ListerWatcher<KubernetesObject>,
  options: ReflectOptions,
) => Observable<SourceEvent<KubernetesObject>>;

/** One requirement for a source. */
export interface SourceConformanceCase {
  /** A fact, for use as the name of a test; ends with the numbers of the behaviours that it proves. */
  readonly name: string;
  /** Throws when the source does not meet the requirement. */
  run(createSource: SourceFactory): void;
  /** The script of the case. @internal */
  readonly script: SourceScript;
}

/** The answer to one request: marbles, their values (of a watch one event or several; `o`, the headers, is predefined), and the error for `#`. */
export type ScriptedAnswer = readonly [marbles: string, values?: Readonly<Record<string, unknown>>, error?: unknown];

/** The script of a server, and the expected log. */
export interface SourceScript {
  readonly name: string;
  readonly options?: ReflectOptions;
  readonly source?: {
    readonly scope?: string;
    readonly expected?: { readonly apiVersion: string; readonly kind: string };
    readonly watchList?: boolean;
  };
  readonly lists?: readonly ScriptedAnswer[];
  readonly watches?: readonly ScriptedAnswer[];
  /** The answers to checks of the server's version; later checks get a version far ahead. */
  readonly looks?: readonly ScriptedAnswer[];
  /** When to unsubscribe; nothing may be running after that. Omit it if the source ends. */
  readonly untilMs?: number | undefined;
  /** The time in milliseconds, then the requests and notifications of that moment in order, with commas between them. */
  readonly log: readonly string[];
}

/** A pod, as an example object. */
export function podOf(name: string, resourceVersion: string): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'default', name, uid: `uid-of-${name}`, resourceVersion } };
}

export function listOf(resourceVersion: string, pods: readonly KubernetesObject[], token?: string): ListChunk<KubernetesObject> {
  return { metadata: { resourceVersion, ...(token !== undefined && { continue: token }) }, items: pods };
}

export function watchEventOf(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubernetesObject): WatchEvent<KubernetesObject> {
  return { type, object };
}

export function bookmarkOf(resourceVersion: string, annotations?: Readonly<Record<string, string>>): WatchEvent<KubernetesObject> {
  return {
    type: 'BOOKMARK',
    object: { kind: 'Pod', apiVersion: 'v1', metadata: { resourceVersion, ...(annotations && { annotations }) } },
  };
}

export function errorEventOf(status: Status): WatchEvent<KubernetesObject> {
  return { type: 'ERROR', object: status };
}

function objectText({ metadata: { name = '?', resourceVersion = '' } = {} }: KubernetesObject): string {
  return `${name}@${resourceVersion}`;
}

function requestText(verb: 'list' | 'watch', request: ListRequest & WatchRequest): string {
  const {
    resourceVersion = '',
    resourceVersionMatch,
    limit,
    continue: token,
    sendInitialEvents,
    allowWatchBookmarks,
    timeoutSeconds,
  } = request;
  const word = verb === 'list' ? 'LIST' : sendInitialEvents === true ? 'WATCHLIST' : 'WATCH';
  // Parameters that every watch has are not logged.
  const odd =
    verb === 'watch' && (allowWatchBookmarks !== true || timeoutSeconds !== 300)
      ? ` bookmarks=${allowWatchBookmarks} seconds=${timeoutSeconds}`
      : '';
  const match = word === 'WATCHLIST' && resourceVersionMatch === 'NotOlderThan' ? undefined : resourceVersionMatch;
  return (
    [word, resourceVersion, match, limit && `limit=${limit}`, token && `continue=${token}`]
      .filter((part) => part !== undefined && part !== '')
      .join(' ') + odd
  );
}

function eventText(event: SourceEvent<KubernetesObject>): string {
  const scope = event.scope === undefined || event.scope === '' ? '' : `[${event.scope}] `;
  switch (event.type) {
    case 'init':
      return `${scope}init ${event.reason} ${event.previousResourceVersion}`.trimEnd();
    case 'page':
      return `${scope}page ${event.items.map(objectText).join(' ')}`;
    case 'ready':
    case 'bookmark':
      return `${scope}${event.type} ${event.resourceVersion}`;
    case 'status': {
      const { state, error, attempt, nextAttemptAt } = event;
      const failure = error === undefined ? '' : ` ${error.code}`;
      return `${scope}${state}${failure}${attempt === undefined ? '' : ` #${attempt}`}${nextAttemptAt === undefined ? '' : ` until ${nextAttemptAt}`}`;
    }
    default: {
      const version = event.object.metadata?.resourceVersion === event.resourceVersion ? '' : ` at ${event.resourceVersion}`;
      return `${scope}${event.type} ${objectText(event.object)}${version}`;
    }
  }
}

/** The answer to a check of the server's version, for which there is none in the script. */
const farAhead = of(listOf('1000000000', []));

function isLook({ limit, resourceVersion, continue: token }: ListRequest): boolean {
  return limit === 1 && resourceVersion === undefined && token === undefined;
}

/** Simulates a scripted server, with the source under test. @internal */
export function playScript(
  script: SourceScript,
  follow: (listerWatcher: ListerWatcher<KubernetesObject>, options: ReflectOptions, note: (text: string) => void) => Subscription,
): { readonly log: string[]; readonly endedAt: number } {
  const scheduler = new TestScheduler(assert.deepEqual);
  const log: string[] = [];
  const note = (text: string): void => void log.push(`${scheduler.now()} ${text}`);
  scheduler.run(({ cold, flush }) => {
    // Longer than any script: a source that polls for ever fails.
    scheduler.maxFrames = 4_000_000;
    const answers = <V>(scripted: readonly ScriptedAnswer[] = [], partOf = (value: unknown): unknown => value): Observable<V>[] =>
      scripted.map(([marbles, values, error]) => cold(marbles, { o: [], ...values }, error).pipe(map((value) => partOf(value) as V)));
    /** Answers requests in the order of the script; further ones with `last`. */
    const inOrder = <V>(verb: 'list' | 'watch', scripted: Observable<V>[], last: Observable<V> = NEVER) => {
      return (request: ListRequest & WatchRequest): Observable<V> =>
        defer(() => {
          note(requestText(verb, request));
          return scripted.shift() ?? last;
        });
    };
    const list = inOrder('list', answers<ListChunk<KubernetesObject>>(script.lists));
    const look = inOrder('list', answers<ListChunk<KubernetesObject>>(script.looks), farAhead);
    const listerWatcher: ListerWatcher<KubernetesObject> = {
      ...script.source,
      resource: 'pods',
      list: (request) => (isLook(request) ? look(request) : list(request)),
      watch: inOrder(
        'watch',
        answers<WatchChunk<KubernetesObject>>(script.watches, (value) => [value].flat()),
      ),
    };
    const subscription = follow(listerWatcher, { scheduler, random: () => 0, ...script.options }, note);
    if (script.untilMs !== undefined) scheduler.schedule(() => subscription.unsubscribe(), script.untilMs);
    flush();
  });
  return { log, endedAt: scheduler.now() };
}

function play(script: SourceScript, createSource: SourceFactory): string[] {
  const { log, endedAt } = playScript(script, (listerWatcher, options, note) =>
    createSource(listerWatcher, options)
      .pipe(checkSourceGrammar())
      .subscribe({
        next: (event) => note(eventText(event)),
        error: (error: unknown) => note(`error ${error instanceof Error && 'code' in error ? String(error.code) : String(error)}`),
        complete: () => note('complete'),
      }),
  );
  const ended = script.untilMs ?? Number(log.at(-1)?.split(' ')[0]);
  assert.equal(endedAt, ended, 'a timer outlived the subscription');
  return log;
}

/** A line for each request and notification. */
function linesOf(moment: string): string[] {
  const [at = ''] = moment.split(' ', 1);
  return moment
    .slice(at.length + 1)
    .split(', ')
    .map((text) => `${at} ${text}`);
}

/** A case for a script: the source must produce exactly its log. */
export function scripted(script: SourceScript): SourceConformanceCase {
  return {
    ...{ name: script.name, script },
    run(createSource): void {
      assert.deepEqual(play(script, createSource), script.log.flatMap(linesOf));
    },
  };
}
