/**
 * Streams of a spec, and the picture that the documentation makes of them.
 *
 * The spec runs these very strings; workshop/tools/marbles draws them.
 */
export interface MarblePicture<In extends string = string, Out extends string = string> {
  /** What stands between the streams above and those below, as code. */
  readonly call: string;
  /** Marbles by the names of the streams, from top to bottom. */
  readonly inputs: Readonly<Record<In, string>>;
  readonly outputs: Readonly<Record<Out, string>>;
  /** When a stream is subscribed to and left, as marbles of a subscription. */
  readonly subscriptions?: Readonly<Partial<Record<Out, string>>>;
  /** What is written in a marble, by its character. */
  readonly labels: Readonly<Record<string, string>>;
}

/** The usual marbles: + added, ~ updated, − deleted, = told again, ✓ synced. */
export const eventLabels: MarblePicture['labels'] = { a: '+a', b: '+b', A: '~a', B: '~b', x: '−a', y: '−b', s: '✓' };

/** The same for changes: s a snapshot of a and b, e an empty one. */
export const changeLabels: MarblePicture['labels'] = { ...eventLabels, s: '+a +b', e: '∅' };
