/**
 * One event of a watch, ready to be sent.
 */
export interface WatchFrame {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  /** The version that the watch has reached with this event; 0 of an ERROR. */
  readonly resourceVersion: number;
  /** The parts of its JSON line, the newline included. Shared with other watches: never to be changed. */
  readonly parts: readonly Buffer[];
}

/**
 * Where the events of one watch go.
 */
export interface WatchSink {
  /** Sends events in this order. `false`: the client is slower than the events; no more should come before `onDrain`. */
  send(frames: readonly WatchFrame[]): boolean;
  /** Ends the watch in good order. */
  end(): void;
  /** Cuts the connection. */
  destroy(): void;
  /** Called whenever the sink can take more after `send` returned false. Set by the watch. */
  onDrain: (() => void) | undefined;
  /** Called when the connection is gone. Set by the watch. */
  onClose: (() => void) | undefined;
}
