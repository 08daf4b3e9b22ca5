import { scanModule } from './scanModule.js';

/** The part of the WebAssembly API used here; TypeScript declares it in the DOM library only. */
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

/** Where the JSON begins in the module's memory. */
const base = 270_336;
const pageBytes = 65_536;
/** How many bytes one vector holds. */
export const blockBytes = 16;
/** Memory for longer JSON is released after its scan. */
const mostKept = 1024 * 1024;
const mostFields = 1_000;
/** Where the masks of brackets and commas begin in the memory, and how many there are. */
const masksAt = 8_192;
const mostMasks = 131_072;

/**
 * Scans JSON with a WebAssembly module that uses SIMD. One per process: the results of a scan must be read before the next scan.
 */
export class VectorScan {
  private readonly make: () => InstanceType<WebAssemblyApi['Instance']>['exports'];
  private exports: InstanceType<WebAssemblyApi['Instance']>['exports'];
  /** For each block of 16 bytes behind the bracket where the last scan began, a mask of the brackets and commas outside of strings; only for the first 2 MB. */
  masks!: Uint16Array;
  private bytes!: Uint8Array;
  private words!: Int32Array;
  private loaded: Uint8Array | undefined;

  /** @throws Error where WebAssembly is forbidden, as by a page's content security policy, or SIMD is missing. */
  constructor({ Module, Instance }: WebAssemblyApi) {
    const module = new Module(Uint8Array.from(scanModule.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)));
    this.make = () => new Instance(module).exports;
    this.exports = this.make();
    this.look();
  }

  /** As `scanBytes`, for objects and arrays. The module recognizes bytes by the identity of their array, whose content must not change between calls. */
  end(json: Uint8Array, at: number, state: number): number {
    if (json !== this.loaded) this.load(json);
    const end = this.exports.scan(base + at, base + json.length, state);
    // mutation comparison: equivalent: the JSON begins after the tables of the module, so `end` is never 0
    return end < 0 ? end : end - base;
  }

  /** Whether this range of the JSON scanned last is one value, and certainly valid: ASCII without white space, integers, few escapes. */
  isPlain(start: number, end: number): boolean {
    return this.exports.isPlain(base + start, base + end) === 1;
  }

  /** The number of fields of the object scanned last and of its metadata; 0 where there are too many. */
  get fields(): number {
    const count = this.words[0] as number;
    return count > mostFields ? 0 : count;
  }

  /** A hash of the number of brackets and quotes in it. */
  get marks(): number {
    return this.words[1] as number;
  }

  /** The position of a field's colon. */
  colonOf(field: number): number {
    return ((this.words[2 + 2 * field] as number) >> 1) - base;
  }

  /** Whether a field belongs to the metadata. */
  isInner(field: number): boolean {
    return ((this.words[2 + 2 * field] as number) & 1) === 1;
  }

  /** The `marks` before the value of a field. */
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
    // mutation arithmetic: runs for the first object of a process only, before the mutation run activates a mutant
    this.words = new Int32Array(buffer, 0, 2 + 2 * mostFields);
    this.masks = new Uint16Array(buffer, masksAt, mostMasks);
  }
}

let known: { readonly scan: VectorScan | undefined } | undefined;

/**
 * The process's scanner, created when it is first needed; undefined where WebAssembly or SIMD is missing.
 */
export function vectorScan(): VectorScan | undefined {
  // mutation comparison, condition: runs for the first object of a process only, before the mutation run activates a mutant
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
