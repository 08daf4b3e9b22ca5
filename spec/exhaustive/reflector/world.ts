import type { LinkState } from '../../../src/api/events.js';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import type { State } from '../../../src/source/reflector/state.js';

/** One change on the server: of the object `a` or `b`, or of another object, which only raises the version. */
export interface Change {
  readonly version: number;
  readonly name: 'a' | 'b' | 'other';
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** Which change it is: after a restore, another one may have its version. */
  readonly id: number;
  readonly object: KubernetesObject;
}

/** The history of a server; a restore begins another one. */
export type Log = readonly Change[];

/** The ids of the last changes of `a` and `b`; 0 if the object does not exist. */
export interface Content {
  readonly a: number;
  readonly b: number;
}

/** A position up to which a log was read. */
export interface Place {
  readonly log: Log;
  readonly length: number;
}

/** A list under way. `served` is where the server has read it; its first page has come by then. */
export interface List {
  readonly version: string;
  /** Whether it is the state at exactly that version: with a limit, that is what a version without a match means. */
  readonly isExact: boolean;
  /** Whether it comes in pages where the server has no watch cache yet. */
  readonly isLimited: boolean;
  readonly isPaginated: boolean;
  readonly served?: Place | undefined;
  readonly isRestarted: boolean;
  readonly isDead: boolean;
}

/** An open watch. A dead one has lost its server, and receives only what was on its way. */
export interface Watch {
  readonly version: string;
  readonly streams: boolean;
  readonly isOpen: boolean;
  readonly isDead: boolean;
  /** Its position; `undefined` until the server has accepted it. */
  readonly place?: Place | undefined;
  /** The objects of a streamed list that have not been sent yet. */
  readonly initial: readonly ('a' | 'b')[];
  /** Whether the end of the streamed list has not been sent yet. */
  readonly isMarking: boolean;
}

/** A running version check. `answer` is the answer of a stopped server that is still on its way. */
export interface Look {
  readonly answer?: number | undefined;
  readonly isDead: boolean;
}

/** One reflector, and its running requests. */
export interface Client {
  readonly state: State;
  readonly list?: List | undefined;
  readonly watch?: Watch | undefined;
  readonly look?: Look | undefined;
}

/** An event of an object that is buffered until a list is complete. */
export interface Kept {
  readonly object: KubernetesObject;
  readonly version: string;
  readonly isDeleted: boolean;
}

/** The list beside the watch: a separate reflector, the objects that it has listed, and the events of the watch meanwhile. */
export interface Beside {
  readonly client: Client;
  readonly listed: readonly Kept[];
  /** The position at which the complete list was read. */
  readonly place?: Place | undefined;
  readonly watched: readonly Kept[];
}

/** The state of the subscribers. */
export interface Told {
  readonly stream: 'nothing' | 'listing' | 'complete';
  readonly cache: Content;
  /** The content of the incomplete list. */
  readonly draft: Content;
  readonly link: LinkState | undefined;
  readonly nextAttemptAt: number | undefined;
}

export interface World {
  readonly now: number;
  readonly log: Log;
  /** Changes before this one are not kept any more. */
  readonly kept: number;
  /** Changes before this one are not in the watch cache. */
  readonly cached: number;
  readonly nextId: number;
  /** How many changes, restores, restarts, compactions, faults and wishes for a list may still come. */
  readonly left: Readonly<Record<'writes' | 'restores' | 'restarts' | 'compactions' | 'faults' | 'wishes', number>>;
  readonly client: Client;
  readonly beside?: Beside | undefined;
  readonly refusedUntil: number;
  readonly told: Told;
  /** The position at which the emitted content was read. */
  readonly base: Place;
  /** Whether events of a restored server have arrived before its list: until then, the emitted content is a mixture. */
  readonly isMixed: boolean;
  /** A version check has found a restored server at or above the checked version: such a restore cannot be detected. */
  readonly isBlind: boolean;
  /** Whether a list has been asked for, and none has been complete since. */
  readonly isListWanted: boolean;
  /** The number of requests since time passed, the server changed, or a watch brought an event. */
  readonly sent: number;
  /** The violation that occurred. */
  readonly problem: string | undefined;
}

export function objectOf(name: string, version: number, id: number): KubernetesObject {
  return { metadata: { name, namespace: 'ns', uid: name, resourceVersion: String(version), generation: id } };
}

export function idOf(object: KubernetesObject): number {
  return (object.metadata as { readonly generation: number }).generation;
}

export function versionAt({ log, length }: Place): number {
  return (log[length - 1] as Change).version;
}

export function contentAt({ log, length }: Place): Content {
  let { a, b } = nobody;
  for (let at = 0; at < length; at += 1) {
    const { name, type, id } = log[at] as Change;
    const now = type === 'DELETED' ? 0 : id;
    if (name === 'a') a = now;
    else if (name === 'b') b = now;
  }
  return { a, b };
}

export function objectAt({ log, length }: Place, name: 'a' | 'b'): KubernetesObject | undefined {
  for (let at = length - 1; at >= 0; at -= 1) {
    const change = log[at] as Change;
    if (change.name === name) return change.type === 'DELETED' ? undefined : change.object;
  }
  return undefined;
}

/** The length of the part of a log with versions up to this one. */
export function lengthUpTo(log: Log, version: number): number {
  let length = log.length;
  while (length > 0 && (log[length - 1] as Change).version > version) length -= 1;
  return length;
}

/** Whether a log contains everything that was read there. */
export function contains(log: Log, { log: read, length }: Place): boolean {
  return log === read || (length <= log.length && (length === 0 || log[length - 1] === read[length - 1]));
}

export const nobody: Content = { a: 0, b: 0 };
