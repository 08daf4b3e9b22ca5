/** A part of an answer. It is encoded once, however many clients it is sent to. */
export class Chunk {
  readonly text: string;
  private readonly encoded = new Map<string, Uint8Array>();

  constructor(text: string) {
    this.text = text;
  }

  bytes(encoding: string, encode: (text: string) => Uint8Array): Uint8Array {
    let bytes = this.encoded.get(encoding);
    if (bytes === undefined) this.encoded.set(encoding, (bytes = encode(this.text)));
    return bytes;
  }
}

/** Where an answer goes. */
export interface Sink {
  /** Takes a part; `false` asks to wait for `drained` before the next one. */
  readonly write: (chunk: Chunk) => boolean;
  readonly end: () => void;
}
