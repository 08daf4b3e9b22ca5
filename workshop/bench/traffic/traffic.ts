/** An object; those of built-in kinds have no kind and apiVersion, as in lists. */
export type Json = Record<string, unknown>;

/**
 * One event of a watch.
 */
export interface TrafficEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: Json;
}

/** The objects of one resource and their changes, as API servers send them. */
export interface TrafficSource {
  /** The first list. */
  readonly objects: readonly Json[];
  /** The next event of the watch, with an object of this resourceVersion. */
  next(resourceVersion: number): TrafficEvent;
}

/**
 * One kind of traffic.
 */
export interface Traffic {
  /** The path of the resource, for example `/api/v1/pods`. */
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** The number of objects in the first list. */
  readonly objects: number;
  /** The number of events before the measurement, and the number of measured events. */
  readonly warmUp: number;
  readonly events: number;
  /** The target: the CPU time per event as a multiple of the floor's, at most. */
  readonly target: number;
  /** The target for the first list, as a multiple of fetch and `JSON.parse`. */
  readonly listTarget?: number;
  source(objects: number): TrafficSource;
}

/** The resourceVersion of each list. */
export const listVersion = 1_000_000;

/** A source whose objects change in turn, each again when all others have. `make` gives a version of an object, 0 in the first list. */
export function inTurn(make: (at: number, version: number, resourceVersion: number) => Json): Traffic['source'] {
  return (count) => {
    let event = 0;
    return {
      objects: Array.from({ length: count }, (_, at) => make(at, 0, 900_000 + at)),
      next(resourceVersion): TrafficEvent {
        const at = (event * 7919) % count;
        const version = 1 + Math.floor(event / count);
        event += 1;
        return { type: 'MODIFIED', object: make(at, version, resourceVersion) };
      },
    };
  };
}
