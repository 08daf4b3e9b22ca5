import { scanModule } from './scanModule.js';

/** What is used of WebAssembly, which only the libraries of browsers declare. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => {
    readonly exports: {
      readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): void };
      scan(at: number, end: number, state: number): number;
      isPlain(at: number, end: number): number;
    };
  };
}

/** Where the module has the bytes. */
const base = 16_384;
const pageBytes = 65_536;
/** How many bytes the module reads at a time. */
const blockBytes = 16;
/** Memory for more bytes than these is not kept after a scan. */
const mostKept = 1024 * 1024;
const mostFields = 1_000;

/**
 * Looks through JSON by a module of WebAssembly, with vectors. It is one for the process: nobody else calls between two calls that belong together.
 */
export class VectorScan {
  private readonly make: () => InstanceType<WebAssemblyApi['Instance']>['exports'];
  private exports: InstanceType<WebAssemblyApi['Instance']>['exports'];
  private bytes!: Uint8Array;
  private words!: Int32Array;
  private loaded: Uint8Array | undefined;

  /** @throws Error where WebAssembly is refused, as by the policy of a page, or knows no vectors. */
  constructor({ Module, Instance }: WebAssemblyApi) {
    const module = new Module(Uint8Array.from(scanModule.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)));
    this.make = () => new Instance(module).exports;
    this.exports = this.make();
    this.look();
  }

  /** What `scanBytes` finds, for objects and arrays. Bytes are known by their array: one has to hold the same bytes in all calls. */
  end(json: Uint8Array, at: number, state: number): number {
    if (json !== this.loaded) this.load(json);
    const end = this.exports.scan(base + at, base + json.length, state);
    return end < 0 ? end : end - base;
  }

  /** Whether one value stands there in the bytes that were scanned last, and is certainly valid JSON: ASCII without white space, integers, few escapes. */
  isPlain(start: number, end: number): boolean {
    return this.exports.isPlain(base + start, base + end) === 1;
  }

  /** How many fields the object that was scanned last has in itself and in its metadata; 0 where there are too many. */
  get fields(): number {
    const count = this.words[0] as number;
    return count > mostFields ? 0 : count;
  }

  /** How many brackets open in it, and how many quotes it has. */
  get marks(): number {
    return this.words[1] as number;
  }

  /** Where the colon of a field is. */
  colonOf(field: number): number {
    return ((this.words[2 + 2 * field] as number) >> 1) - base;
  }

  /** Whether a field is one of the metadata. */
  isInner(field: number): boolean {
    return ((this.words[2 + 2 * field] as number) & 1) === 1;
  }

  /** How many of these come before the value of a field. */
  marksBefore(field: number): number {
    return this.words[3 + 2 * field] as number;
  }

  private load(json: Uint8Array): void {
    const needed = base + json.length + blockBytes;
    if (this.bytes.length > mostKept && needed <= mostKept) {
      this.exports = this.make();
      this.look();
    }
    if (needed > this.bytes.length) {
      this.exports.memory.grow(Math.ceil((needed - this.bytes.length) / pageBytes));
      this.look();
    }
    this.bytes.set(json, base);
    this.loaded = json;
  }

  private look(): void {
    const { buffer } = this.exports.memory;
    this.bytes = new Uint8Array(buffer);
    this.words = new Int32Array(buffer, 0, 2 + 2 * mostFields);
  }
}

let known: { readonly scan: VectorScan | undefined } | undefined;

/**
 * The one of the process, made when it is first needed; undefined where there can be none.
 */
export function vectorScan(): VectorScan | undefined {
  if (known === undefined) {
    const { WebAssembly } = globalThis as unknown as { readonly WebAssembly?: WebAssemblyApi };
    try {
      known = { scan: WebAssembly && new VectorScan(WebAssembly) };
    } catch {
      known = { scan: undefined };
    }
  }
  return known.scan;
}
