/**
 * A time as the server wrote it. Written again, it is the same text, fractions of a second included: a `Date` alone keeps milliseconds, and writes
 * three digits where servers want six (MicroTime) or none.
 */
export class ServerTime extends Date {
  readonly #text: string;
  readonly #time: number;

  constructor(text: string) {
    super(text);
    this.#text = text;
    this.#time = this.getTime();
  }

  /** The text as the server wrote it; with microseconds, which all fields take, once the time has been set to another. */
  override toISOString(): string {
    return this.getTime() === this.#time ? this.#text : super.toISOString().replace('Z', '000Z');
  }
}
