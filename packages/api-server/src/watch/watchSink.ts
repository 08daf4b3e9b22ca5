/** One encoded event of a watch. */
export interface WatchFrame {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  /** The version that the watch has reached with this event; 0 for an ERROR. */
  readonly resourceVersion: number;
  /** The parts of its JSON line, including the newline. Shared with other watches: immutable. */
  readonly parts: readonly Buffer[];
}

/** The destination of the events of one watch. */
export interface WatchSink {
  /** Sends events in order. Returns `false` when the client is too slow: send no more before `onDrain`. */
  send(frames: readonly WatchFrame[]): boolean;
  /** Ends the watch normally. */
  end(): void;
  /** Cuts the connection. */
  destroy(): void;
  /** Called when the sink accepts events again, after `send` returned false. Set by the watch. */
  onDrain: (() => void) | undefined;
  /** Called when the connection has closed. Set by the watch. */
  onClose: (() => void) | undefined;
}
