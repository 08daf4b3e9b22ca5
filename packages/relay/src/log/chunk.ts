import { entryOf } from 'rx-informer/internal';

/** A part of an answer. It is encoded once for all clients that get it. */
export class Chunk {
  readonly text: string;
  private readonly encoded = new Map<string, Uint8Array>();

  constructor(text: string) {
    this.text = text;
  }

  bytes(encoding: string, encode: (text: string) => Uint8Array): Uint8Array {
    return entryOf(this.encoded, encoding, () => encode(this.text));
  }
}

/** Longer texts are not cached. */
const longestKept = 2_000;
const maxKept = 200;

/** The chunks in use by their text: many pages get the same positions, rights and health. */
export class Chunks {
  private readonly known = new Map<string, Chunk>();

  of(text: string): Chunk {
    if (text.length > longestKept) return new Chunk(text);
    if (this.known.size >= maxKept && !this.known.has(text)) this.known.clear();
    return entryOf(this.known, text, () => new Chunk(text));
  }
}

/** The destination of an answer. */
export interface Sink {
  /** Writes a part; `false` means to wait for `drained` before the next one. */
  readonly write: (chunk: Chunk) => boolean;
  readonly end: () => void;
}
