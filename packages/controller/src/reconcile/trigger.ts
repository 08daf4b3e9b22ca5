import type { ObjectEvent, ResourceChange, ResourceEvent } from 'rx-informer';
import { describeValue, entryOf } from 'rx-informer/internal';

/** A key that needs work, with its cause. */
export type Trigger = Readonly<{
  type: 'trigger';
  key: string;
  /**
   * Why: an object was in the first list (`initial`), was added, updated, emitted again unchanged (`resync`) or deleted; a source emitted the key
   * itself (`key`); or the loop retries after a failure (`retry`) or was asked to call again (`requeue`).
   */
  cause: 'initial' | 'added' | 'updated' | 'resync' | 'deleted' | 'key' | 'retry' | 'requeue';
  /** The key of the object that the event was about: of another kind, for `ownerKeys` and `mappedKeys`. */
  objectKey: string;
}>;

/** An object whose keys could not be computed. */
export type TriggerError = Readonly<{
  type: 'triggerError';
  objectKey: string;
  error: unknown;
}>;

/**
 * What a source may emit: keys, resource events or changes of the reconciled kind, or the output of `ownerKeys` and `mappedKeys` for other kinds.
 */
export type SourceValue = string | ResourceEvent<unknown> | ResourceChange<unknown> | Trigger | TriggerError;

/**
 * Why a key is processed. Triggers of the same source and cause since the last call are counted together, so that an event storm needs little memory.
 */
export interface TriggerReason {
  /** The source's name in `sources`, or its number there; `reconcile` for retries and requeues. */
  readonly source: string;
  readonly cause: Trigger['cause'];
  /** The object of the latest of these triggers. */
  readonly objectKey: string;
  readonly count: number;
}

function causeOf(event: ObjectEvent<unknown>): Trigger['cause'] {
  if (event.type === 'added') return event.initial ? 'initial' : 'added';
  if (event.type === 'updated') return event.resync ? 'resync' : 'updated';
  return 'deleted';
}

/** Whether an object has moved to another shard, or the permission to see it was revoked: it was not deleted, so nothing is to be done. */
function hasLeft(event: ObjectEvent<unknown>): boolean {
  return event.type === 'deleted' && event.reason !== undefined;
}

/** @throws TypeError when a key is no non-empty string. */
function expectKey(key: unknown): void {
  if (typeof key !== 'string' || key === '') throw new TypeError(`Expected a key to be a non-empty string, got ${describeValue(key)}`);
}

/** What `keysOf` returned. @throws TypeError when it is no list: each character of a string would be a key. */
function keysIn(returned: Iterable<string>): Iterable<string> {
  if (typeof returned === 'object' && (returned as unknown) !== null) return returned;
  throw new TypeError(`Expected \`keysOf\` to return a list of keys, got ${describeValue(returned)}`);
}

/** The keys that an object needs. @throws when `keysOf` throws or returns no keys. */
function keysFor<T>(object: T, keysOf: (object: T) => Iterable<string>): readonly string[] {
  const keys = [...keysIn(keysOf(object))];
  for (const key of keys) expectKey(key);
  return keys;
}

/**
 * The triggers of a resource event: one for each key of its object, and of its old object. An object for which `keysOf` throws does not keep the other one from
 * its triggers. That of an old object is not reported again: it was when the object was new.
 */
export function triggersOf<T>(event: ResourceEvent<T>, keysOf: (object: T) => Iterable<string>): readonly (Trigger | TriggerError)[] {
  if (event.type === 'synced' || hasLeft(event)) return [];
  const [objectKey, cause] = [event.key, causeOf(event)];
  const keys = new Set<string>();
  const errors: TriggerError[] = [];
  try {
    for (const key of keysFor(event.object, keysOf)) keys.add(key);
  } catch (error) {
    errors.push({ type: 'triggerError', objectKey, error });
  }
  if (event.type === 'updated' && event.oldObject !== event.object) {
    try {
      for (const key of keysFor(event.oldObject, keysOf)) keys.add(key);
    } catch {
      // Reported when the object was new.
    }
  }
  return [...[...keys].map((key): Trigger => ({ type: 'trigger', key, cause, objectKey })), ...errors];
}

const unexpected = (value: unknown): TypeError =>
  new TypeError(`Expected a source to emit a key, a resource event or a trigger, got ${describeValue(value)}`);

/** The triggers of a source's value. @throws TypeError when the value is of no allowed type. */
export function triggersOfValue(value: SourceValue): readonly (Trigger | TriggerError)[] {
  if (typeof value === 'string') {
    expectKey(value);
    return [{ type: 'trigger', key: value, cause: 'key', objectKey: value }];
  }
  if (typeof value !== 'object' || (value as unknown) === null) throw unexpected(value);
  if ('events' in value) return value.events.flatMap(triggersOfValue);
  switch (value.type) {
    case 'trigger':
      expectKey(value.key);
      return [value];
    case 'triggerError':
      return [value];
    case 'added':
    case 'updated':
    case 'deleted':
      return hasLeft(value) ? [] : [{ type: 'trigger', key: value.key, cause: causeOf(value), objectKey: value.key }];
    case 'synced':
      return [];
    default:
      throw unexpected(value);
  }
}

interface Entry {
  readonly since: number;
  readonly reasons: { -readonly [Field in keyof TriggerReason]: TriggerReason[Field] }[];
}

/** Collects the reasons of each key until its call begins, at most one per source and cause. */
export class ReasonLog {
  private readonly entries = new Map<string, Entry>();

  note(source: string, { key, cause, objectKey }: Pick<Trigger, 'key' | 'cause' | 'objectKey'>, now: number): void {
    const { reasons } = entryOf(this.entries, key, (): Entry => ({ since: now, reasons: [] }));
    const same = reasons.find((reason) => reason.source === source && reason.cause === cause);
    if (same === undefined) {
      reasons.push({ source, cause, objectKey, count: 1 });
    } else {
      same.objectKey = objectKey;
      same.count += 1;
    }
  }

  take(key: string, now: number): { readonly reasons: readonly TriggerReason[]; readonly waitedMs: number } {
    const entry = this.entries.get(key);
    this.entries.delete(key);
    return { reasons: entry?.reasons ?? [], waitedMs: entry === undefined ? 0 : now - entry.since };
  }
}
