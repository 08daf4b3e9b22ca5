import { rules } from 'rx-informer/internal';
import type { LoggedRequest } from './requestLog.js';
import type { Warning } from './warnings/warning.js';
import { undone } from './differences.js';
import type { Scene, SceneThing } from './scene.js';
import type { TimelineEntry, TimelineFigures } from './timeline.js';

/** What a page currently shows; only that is sent. */
export interface Look {
  readonly panel?: string;
  /** The selected collection, the search text, and the visible rows. */
  readonly of?: number;
  readonly search?: string;
  readonly from?: number;
  readonly count?: number;
  /** The key of the opened object. */
  readonly key?: string;
  /** The position of the time slider; absent for now. */
  readonly at?: number;
}

/** The maximum number of rows that are sent. */
const maxRows = 200;
/** Longer objects, in characters, are truncated. */
const longestObject = 500_000;
/** The maximum number of changes in the row of marbles. */
const maxMarbles = 300;

/** A part of a long list. */
export interface Rows<T> {
  readonly total: number;
  readonly from: number;
  readonly rows: readonly T[];
}

/** The changes in the timeline that a page asks for. */
export interface TimelineRows extends Rows<TimelineEntry>, TimelineFigures {
  readonly marbles: readonly Pick<TimelineEntry, 'at' | 'of' | 'type' | 'number'>[];
}

/** The opened object, with its changes. */
export interface OpenObject {
  readonly of: number;
  readonly key: string;
  readonly object?: unknown;
  /** The length of an object that was truncated. */
  readonly cut?: number;
  readonly explanation?: unknown;
  readonly versions: readonly TimelineEntry[];
  readonly total: number;
  /** What was not delivered of it, newest first. */
  readonly drops: readonly Omit<TimelineEntry, 'differences'>[];
}

/** The answer for what a page shows. */
export interface Answer {
  readonly title: string;
  readonly now: number;
  readonly warnings: readonly Warning[];
  readonly things: readonly SceneThing[];
  /** The number of things that are left out. */
  readonly left: number;
  readonly objects?: Rows<string> | undefined;
  readonly timeline?: TimelineRows | undefined;
  readonly requests?: Rows<LoggedRequest> | undefined;
  readonly open?: OpenObject | undefined;
}

function rowsOf<T>(all: readonly T[], { from = 0, count = 50 }: Look): Rows<T> {
  const begin = Math.max(0, Math.min(from, all.length));
  return { total: all.length, from: begin, rows: all.slice(begin, begin + Math.min(count, maxRows)) };
}

function bounded(value: unknown): { readonly object?: unknown; readonly cut?: number } {
  const text = JSON.stringify(value) as string | undefined;
  return text !== undefined && text.length > longestObject ? { cut: text.length, object: text.slice(0, longestObject) } : { object: value };
}

/** The object at a time, with every later change undone; undefined if it did not exist. Changes of many objects at once cannot be undone. */
export function objectAt(scene: Scene, of: number, key: string, at: number): unknown {
  const isOfIt = (entry: Omit<TimelineEntry, 'differences'>): boolean => entry.key === key || entry.type === 'list';
  const later = scene.timeline.entries((entry) => entry.of === of && isOfIt(entry) && entry.at > at && entry.type !== 'dropped');
  let object = scene.object(of, key);
  let lost: number | undefined;
  for (const { type, differences, count } of later.reverse()) {
    if (count !== undefined) {
      lost = count;
    } else if (lost === undefined || type !== 'updated') {
      object = type === 'added' ? undefined : undone(object, differences);
      lost = undefined;
    }
  }
  return lost === undefined ? object : `(not known: ${lost} objects changed at once since then)`;
}

function openObject(scene: Scene, { of, key, at }: Look): OpenObject | undefined {
  if (of === undefined || key === undefined) return undefined;
  const present = at === undefined ? scene.object(of, key) : objectAt(scene, of, key, at);
  const isOfIt = (isDrop: boolean) => (entry: Omit<TimelineEntry, 'differences'>) =>
    entry.of === of && entry.key === key && (entry.type === 'dropped') === isDrop && (at === undefined || entry.at <= at);
  const { entries: versions, total } = scene.timeline.newest(isOfIt(false), 0, 50);
  const drops = scene.timeline.last(isOfIt(true), 50);
  return { of, key, ...bounded(present), explanation: scene.explain(of, key), versions, total, drops };
}

/** Which entries of the timeline a page asks for; undefined for all. */
function isAskedFor({ at, of, search = '' }: Look): ((entry: Omit<TimelineEntry, 'differences'>) => boolean) | undefined {
  if (at === undefined && of === undefined && search === '') return undefined;
  return (entry) =>
    (at === undefined || entry.at <= at) && (of === undefined || entry.of === of) && (search === '' || (entry.key ?? '').includes(search));
}

function timelineOf(scene: Scene, look: Look): TimelineRows {
  const { total, entries } = scene.timeline.newest(isAskedFor(look), look.from ?? 0, Math.min(look.count ?? 50, maxRows));
  const marbles = scene.timeline.last(isAskedFor(look), maxMarbles).map(({ at, of, type, number }) => ({ at, of, type, number }));
  return { total, from: look.from ?? 0, rows: entries, marbles, ...scene.timeline.figures() };
}

/** Caches the sorted keys of the last collection: sorting 20,000 takes 10 ms, comparing them a tenth of that. */
const sorted = new WeakMap<Scene, { readonly keys: readonly string[]; readonly inOrder: readonly string[] }>();

function sortedKeys(scene: Scene, of: number): readonly string[] {
  const keys = scene.keys(of);
  const known = sorted.get(scene);
  if (known?.keys.length === keys.length && keys.every((key, at) => key === known.keys[at])) return known.inOrder;
  const inOrder = [...keys].sort();
  sorted.set(scene, { keys, inOrder });
  return inOrder;
}

function objectsOf(scene: Scene, look: Look): Rows<string> | undefined {
  const { of, search = '' } = look;
  if (of === undefined) return undefined;
  const keys = sortedKeys(scene, of);
  return rowsOf(search === '' ? keys : keys.filter((key) => key.includes(search)), look);
}

const kindsOf: ReadonlyMap<string, readonly string[]> = new Map([
  ['overview', ['informer', 'view', 'manager', 'rights']],
  ['objects', ['informer', 'view']],
  ['timeline', ['informer', 'view']],
  ['graph', ['informer', 'view']],
  ['queues', ['queue', 'controller']],
  ['leases', ['elector', 'shards']],
]);

/** Answers for what a page shows. */
export function answerOf(scene: Scene, look: Look): Answer {
  const { panel = 'overview' } = look;
  const kinds = kindsOf.get(panel) ?? [];
  const things = [...scene.things()].filter(({ facts }) => kinds.includes(facts.kind));
  things.sort((one, other) => kinds.indexOf(one.facts.kind) - kinds.indexOf(other.facts.kind));
  return {
    title: scene.title,
    now: scene.now(),
    warnings: scene.warnings(),
    things: things.slice(0, maxRows),
    left: Math.max(0, things.length - maxRows),
    objects: panel === 'objects' ? objectsOf(scene, look) : undefined,
    timeline: panel === 'timeline' ? timelineOf(scene, look) : undefined,
    requests: panel === 'requests' ? rowsOf([...scene.requests()].reverse(), look) : undefined,
    open: openObject(scene, look),
  };
}

/** The answer to the query of a page, as JSON; undefined if the query is invalid. */
export function lookText(scene: Scene, query: string): string | undefined {
  const asked = new URLSearchParams(query).get('q') ?? '{}';
  let look: unknown;
  try {
    look = JSON.parse(asked);
  } catch {
    return undefined;
  }
  return rules.object.holds(look) ? JSON.stringify(answerOf(scene, look as Look)) : undefined;
}
