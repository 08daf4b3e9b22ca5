/**
 * The version that a watch has reached after an event, which is where the next one goes on.
 *
 * Versions are opaque: the event's counts as it is, also when it looks smaller. Two cases keep the version reached before: an event without
 * one; and the initial ADDED events of a watch that was started without a version, which come in no order (`ordered` is false until
 * anything else came).
 *
 * @internal
 */
export function rewatchResourceVersion(reached: string, eventVersion: string | undefined, ordered: boolean): string {
  return eventVersion === undefined || eventVersion === '' || !ordered ? reached : eventVersion;
}
