/** An object; those of built-in kinds are without their type, as in lists. */
export type Json = Record<string, unknown>;

/**
 * One event of a watch.
 */
export interface TrafficEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: Json;
}

/**
 * The objects of one resource and what happens to them, as API servers send them.
 */
export interface TrafficSource {
  /** The first list. */
  readonly objects: readonly Json[];
  /** The next event of the watch, whose objects have this resourceVersion. */
  next(resourceVersion: number): TrafficEvent;
}

/**
 * One kind of traffic.
 */
export interface Traffic {
  /** Where the resource is, for example `/api/v1/pods`. */
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** How many objects the first list has. */
  readonly objects: number;
  /** How many events come before the measurement, and how many are measured. */
  readonly warmUp: number;
  readonly events: number;
  /** How often the floor's processor time per event is to be reached, at most. */
  readonly target: number;
  /** The same of the first list, against fetch and `JSON.parse`. */
  readonly listTarget?: number;
  source(objects: number): TrafficSource;
}

/** The resourceVersion of each list. */
export const listVersion = 1_000_000;
