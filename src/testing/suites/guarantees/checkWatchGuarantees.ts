import { judgeEvents, type Judged } from './guarantee.js';
import type { WatchHistory } from './watchHistory.js';
import { type WatchGuarantee, watchGuarantees } from './watchGuarantees.js';
import type { WatchObservation } from './watchObservation.js';

/** A violated guarantee: its name, the client that observed it, and a description. */
export interface GuaranteeViolation {
  readonly guarantee: WatchGuarantee;
  readonly client: string;
  /** For example `MODIFIED default/a at 7 was left out`. */
  readonly message: string;
}

function judge(history: WatchHistory, { resourceVersion, selects = () => true, state, events }: WatchObservation): Judged {
  const from = Number(resourceVersion);
  if (resourceVersion === '' || !(from > 0))
    throw new TypeError(`Expected a resourceVersion to continue from, got ${JSON.stringify(resourceVersion)}`);
  const expected = history.eventsAfter(from, selects);
  return { selects, from, state, stateExpected: history.stateAt(from, selects), expected, ...judgeEvents(events, expected) };
}

/**
 * Compares what clients observed in lists and watches with what was written. Returns the violations: none if every guarantee held for every client.
 *
 * @example
 * ```ts
 * import { checkWatchGuarantees, WatchHistory } from 'rx-informer/testing';
 *
 * const a = { metadata: { name: 'a', resourceVersion: '1' } };
 * const b = { metadata: { name: 'b', resourceVersion: '2' } };
 * const c = { metadata: { name: 'c', resourceVersion: '3' } };
 * const history = new WatchHistory([a, b, c].map((object) => ({ type: 'ADDED', resourceVersion: object.metadata.resourceVersion, object })));
 * const events = [{ type: 'ADDED', object: c }] as const;
 * console.log(checkWatchGuarantees(history, [{ client: 'me', resourceVersion: '1', state: [a], events }]));
 * // [{ guarantee: 'Resumable', client: 'me', message: 'ADDED c at 3 came first after 1, and not ADDED b at 2' }]
 * ```
 *
 * @throws TypeError for an observation without a resourceVersion to continue from.
 */
export function checkWatchGuarantees(history: WatchHistory, observations: readonly WatchObservation[]): readonly GuaranteeViolation[] {
  return observations.flatMap((observation) => {
    const judged = judge(history, observation);
    return Object.entries(watchGuarantees).flatMap(([guarantee, check]) =>
      [...check(judged)].map((message) => ({ guarantee: guarantee as WatchGuarantee, client: observation.client, message })),
    );
  });
}
