import type { Cluster } from '../cluster.js';
import type { QueryParameters } from '../http/queryParameters.js';
import { parseResourceVersion } from '../read/resourceVersions.js';
import { forbiddenField, invalidOptions, notSupported, type FieldError } from '../status/statusErrors.js';

/** The options of a watch, with the defaults of the profile. */
export interface WatchOptions {
  /** The version after which to start; undefined and 0 mean the current state. */
  readonly resourceVersion: number | undefined;
  /** Whether the state is sent as ADDED events first. */
  readonly initialEvents: boolean;
  /** Whether the end of the initial events is marked by a bookmark. */
  readonly marker: boolean;
  readonly bookmarks: boolean;
  /** When the server ends the watch, in milliseconds: random when absent or zero, at once when negative. */
  readonly timeoutMs: number;
}

const field = 'resourceVersionMatch';
const withContinue = 'resourceVersionMatch is forbidden when continue is provided';

function validateModern(query: QueryParameters, gate: boolean): FieldError[] {
  const match = query.text(field);
  const initial = query.has('sendInitialEvents');
  const errors: FieldError[] = [];
  if (initial && match !== 'NotOlderThan')
    errors.push(forbiddenField(field, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
  if (initial && !gate) {
    errors.push(
      forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled'),
    );
  }
  // A watch from the current state is a streamed list, whose options the server completes.
  const completed = gate && !initial && match === '' && ['', '0'].includes(query.text('resourceVersion'));
  const continues = query.text('continue') !== '';
  if (completed && continues) errors.push(forbiddenField(field, withContinue));
  if (match === '') return errors;
  if (!initial) errors.push(forbiddenField(field, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'));
  if (match !== 'NotOlderThan') errors.push(notSupported(field, JSON.stringify(match), ['NotOlderThan']));
  if (continues) errors.push(forbiddenField(field, withContinue));
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
  // The default is random, from 30 to 60 minutes, so that clients do not reconnect at the same time.
  return seconds === 0 ? (1_800 + Math.floor(random.fraction() * 1_800)) * 1_000 : seconds * 1_000;
}

/** @throws StatusError 422 for contradictory options, before the stream begins. */
export function checkWatchOptions({ features: { watchList } }: Cluster, query: QueryParameters): void {
  const modern = watchList === 'on' || watchList === 'gate-off';
  const errors = modern ? validateModern(query, watchList === 'on') : watchList === 'unknown' ? validateOld(query) : [];
  if (errors.length > 0) throw invalidOptions('ListOptions', ...errors);
}

/** Parses the options of a watch, like a server of the profile. */
export function watchOptionsOf(cluster: Cluster, query: QueryParameters): WatchOptions {
  const { watchList } = cluster.features;
  const modern = watchList === 'on' || watchList === 'gate-off';
  const resourceVersion = parseResourceVersion(query.text('resourceVersion'), false);
  const fromNow = resourceVersion === undefined || resourceVersion === 0;
  const explicit = modern && query.has('sendInitialEvents');
  // Servers with streamed lists also stream the list for a watch without a version.
  const streamed = explicit ? query.flag('sendInitialEvents') : fromNow && watchList === 'on';
  return {
    resourceVersion,
    initialEvents: explicit ? streamed : fromNow,
    marker: streamed,
    bookmarks: query.flag('allowWatchBookmarks'),
    timeoutMs: timeoutMs(cluster, query.integer('timeoutSeconds') ?? 0),
  };
}
