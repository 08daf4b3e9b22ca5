import type { AddedEvent, DeletedEvent, ResourceChange, SyncedEvent, UpdatedEvent } from '../../api/events.js';
import { briefly } from './briefly.js';
import { differencesOf } from '../suites/differencesOf.js';

/** The result of a matcher of jest or vitest. */
export interface MatcherResult {
  readonly pass: boolean;
  /** The expected and the actual value in words. */
  readonly message: () => string;
}

type Flags<Event> = Partial<Omit<Event, 'type' | 'key' | 'object' | 'oldObject'>>;

/** The expected fields of an event besides type and key. Of objects, only the given fields are compared; lists are compared as a whole. */
export type ExpectedEvent<Event> = Flags<Event> & { readonly object?: object; readonly oldObject?: object };

/** The types of the matchers for `expect(event)` of a test runner, see {@link resourceEventMatchers}. */
export interface ResourceEventMatchers<R = unknown> {
  /** Expects the addition of the object with this key. */
  toBeAdded(key?: string, expected?: ExpectedEvent<AddedEvent<unknown>>): R;
  /** Expects an update of the object with this key. */
  toBeUpdated(key?: string, expected?: ExpectedEvent<UpdatedEvent<unknown>>): R;
  /** Expects the deletion of the object with this key. */
  toBeDeleted(key?: string, expected?: ExpectedEvent<DeletedEvent<unknown>>): R;
  /** Expects the end of a snapshot or a list, with this version. */
  toBeSynced(resourceVersion?: string, expected?: Partial<Omit<SyncedEvent, 'type'>>): R;
  /** Expects a change with these events in this order, for example `'-default/db +default/web'`: `+` added, `~` updated, `-` deleted. */
  toBeChange(events?: string, expected?: Partial<Omit<ResourceChange<unknown>, 'events'>>): R;
}

const types: Readonly<Record<string, string>> = { '+': 'added', '~': 'updated', '-': 'deleted' };

/** The events named in a text, as far as it can be parsed. */
function eventsNamed(text: string): readonly { readonly type: string; readonly key: string }[] {
  return text
    .split(' ')
    .filter((part) => part !== '')
    .map((part) => {
      const type = types[part.charAt(0)];
      if (type === undefined) throw new TypeError(`Expected \`events\` to be keys behind +, ~ or -, got ${JSON.stringify(part)}`);
      return { type, key: part.slice(1) };
    });
}

/** @param anythingBut - what is said where the opposite was expected. */
function resultOf(differences: readonly string[], received: unknown, wanted: string, anythingBut: string): MatcherResult {
  const pass = differences.length === 0;
  const got = `got ${briefly(received)}`;
  const lines = differences.map((line) => `\n  ${line}`).join('');
  return { pass, message: () => (pass ? `Expected ${anythingBut}, ${got}` : `Expected ${wanted}, ${got}${lines}`) };
}

function matchChange(received: unknown, events: string | undefined, expected: object = {}): MatcherResult {
  const wanted = { ...(events !== undefined && { events: eventsNamed(events) }), ...expected };
  const isChange = Array.isArray((received as { readonly events?: unknown } | undefined)?.events);
  const differences = isChange ? differencesOf(received, wanted, true) : [`it is no change: ${briefly(received)}`];
  const text = `a change${events === undefined ? '' : ` {${events}}`}`;
  return resultOf(differences, received, text, `anything but ${text}`);
}

function match(received: unknown, expected: Readonly<Record<string, unknown>>): MatcherResult {
  const wanted = briefly(expected) + (expected['key'] === undefined ? '' : ` ${JSON.stringify(expected['key'])}`);
  return resultOf(differencesOf(received, expected, true), received, wanted, `an event that is not ${wanted}`);
}

/**
 * Matchers for changes and resource events, for `expect.extend` of jest or vitest. Their messages name each field that differs.
 *
 * ```text
 * Expected updated "default/web", got updated default/web@3 (was default/web@2)
 *   object.status.phase: expected "Running", got "Pending"
 * ```
 *
 * With `@jest/globals`, declare their types by `declare module 'expect' { interface Matchers<R> extends ResourceEventMatchers<R> {} }`.
 *
 * @example
 * ```ts
 * import { resourceEventMatchers, type ResourceEventMatchers } from 'rx-informer/testing';
 *
 * declare const expect: { extend(matchers: object): void } & ((value: unknown) => ResourceEventMatchers);
 * expect.extend(resourceEventMatchers);
 *
 * const event: unknown = undefined;
 * expect(event).toBeUpdated('default/web', { object: { status: { phase: 'Running' } } });
 * ```
 */
export const resourceEventMatchers: {
  readonly [Name in keyof ResourceEventMatchers]: (
    received: unknown,
    ...expected: Parameters<ResourceEventMatchers[Name]>
  ) => MatcherResult;
} = {
  toBeAdded: (received, key, expected) => match(received, { type: 'added', key, ...expected }),
  toBeUpdated: (received, key, expected) => match(received, { type: 'updated', key, ...expected }),
  toBeDeleted: (received, key, expected) => match(received, { type: 'deleted', key, ...expected }),
  toBeSynced: (received, resourceVersion, expected) => match(received, { type: 'synced', resourceVersion, ...expected }),
  toBeChange: matchChange,
};
