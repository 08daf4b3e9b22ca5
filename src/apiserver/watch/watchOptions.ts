import type { Cluster } from '../cluster.js';
import type { QueryParameters } from '../http/queryParameters.js';
import { parseResourceVersion } from '../read/resourceVersions.js';
import { forbiddenField, invalidOptions, notSupported, type FieldError } from '../status/statusErrors.js';

/** What a watch asks for, after the defaults of the server's version were filled in. */
export interface WatchOptions {
  /** The version to start after; undefined and 0 are both "the state of now". */
  readonly resourceVersion: number | undefined;
  /** Whether the state is sent as ADDED events first. */
  readonly initialEvents: boolean;
  /** Whether the end of the initial events is marked, given that bookmarks are allowed. */
  readonly marker: boolean;
  readonly bookmarks: boolean;
  /** When the server ends the watch; drawn by the server when absent or zero, at once when negative. */
  readonly timeoutMs: number;
}

const field = 'resourceVersionMatch';

function validateModern(query: QueryParameters, gate: boolean): FieldError[] {
  const match = query.text(field);
  const initial = query.text('sendInitialEvents') !== '';
  const errors: FieldError[] = [];
  if (initial && match !== 'NotOlderThan')
    errors.push(forbiddenField(field, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
  if (initial && !gate) {
    errors.push(
      forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled'),
    );
  }
  if (query.text('continue') !== '') errors.push(forbiddenField(field, 'resourceVersionMatch is forbidden when continue is provided'));
  if (match === '') return errors;
  if (!initial) errors.push(forbiddenField(field, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'));
  if (match !== 'NotOlderThan') errors.push(notSupported(field, JSON.stringify(match), ['NotOlderThan']));
  return errors;
}

function validateOld(query: QueryParameters): FieldError[] {
  if (query.text(field) === '') return [];
  const errors = [forbiddenField(field, 'resourceVersionMatch is forbidden for watch')];
  if (query.text('resourceVersion') === '')
    errors.push(forbiddenField(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
  return errors;
}

function timeoutMs({ random }: Cluster, seconds: number): number {
  // Unset: between half an hour and an hour, drawn so that not all clients come back at once.
  return seconds === 0 ? (1_800 + Math.floor(random.fraction() * 1_800)) * 1_000 : seconds * 1_000;
}

/** @throws StatusError 422 for options that contradict each other. */
export function checkWatchOptions({ features: { watchList } }: Cluster, query: QueryParameters): void {
  const modern = watchList === 'on' || watchList === 'gate-off';
  const errors = modern ? validateModern(query, watchList === 'on') : watchList === 'unknown' ? validateOld(query) : [];
  if (errors.length > 0) throw invalidOptions('ListOptions', ...errors);
}

/** Reads the options of a watch as a server of the profile does. */
export function watchOptionsOf(cluster: Cluster, query: QueryParameters): WatchOptions {
  const { watchList } = cluster.features;
  const modern = watchList === 'on' || watchList === 'gate-off';
  const resourceVersion = parseResourceVersion(query.text('resourceVersion'), false);
  const fromNow = resourceVersion === undefined || resourceVersion === 0;
  const explicit = modern && query.text('sendInitialEvents') !== '';
  // Servers that stream lists treat a watch without a version as a streamed list too.
  const streamed = explicit ? query.flag('sendInitialEvents') : fromNow && watchList === 'on';
  return {
    resourceVersion,
    initialEvents: explicit ? streamed : fromNow,
    marker: streamed,
    bookmarks: query.flag('allowWatchBookmarks'),
    timeoutMs: timeoutMs(cluster, query.integer('timeoutSeconds') ?? 0),
  };
}
