/** A part of an answer. It is encoded once for all clients that get it. */
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

/** The destination of an answer. */
export interface Sink {
  /** Writes a part; `false` means to wait for `drained` before the next one. */
  readonly write: (chunk: Chunk) => boolean;
  readonly end: () => void;
}
