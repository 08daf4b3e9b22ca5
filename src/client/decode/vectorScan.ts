import { scanModule } from './scanModule.js';

/** The part of the WebAssembly API used here; TypeScript declares it in the DOM library only. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => {
    readonly exports: {
      readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): void };
      scan(at: number, end: number, state: number, drops: number): number;
      compare(known: number, knownEnd: number, at: number, end: number, cut: number, behind: number, number: number): number;
      plainEnd(at: number, end: number): number;
    };
  };
}

/** Where the JSON begins in the module's memory, and a template. */
const base = 499_712;
const templateAt = 425_984;
/** Where the module says what differs: the address behind the values, the values, and the way to each. */
const valuesEndAt = 270_336;
const valuesAt = 344_064;
const waysAt = 278_528;
const pageBytes = 65_536;
/** How many bytes one vector holds. */
const blockBytes = 16;
/** Memory for longer JSON is released after its scan. */
const mostKept = 1024 * 1024;
const mostFields = 1_000;
/** Longer objects are not compared. */
const mostCompared = 2_097_152;

/**
 * The JSON of an object, in memory that is reused.
 */
export interface TemplateText {
  readonly bytes: Uint8Array;
  readonly length: number;
}

/** A range of an object to leave out. */
export interface Cut {
  readonly cutStart: number;
  readonly cutEnd: number;
}

/**
 * Scans JSON with a WebAssembly module that uses SIMD. One per process: the results of a scan must be read before the next scan.
 */
export class VectorScan {
  private readonly make: () => InstanceType<WebAssemblyApi['Instance']>['exports'];
  private exports: InstanceType<WebAssemblyApi['Instance']>['exports'];
  /** For each value that differed in the last comparison how deep it lies, and its number in the object or array around it, after those of all around that. */
  ways!: Int32Array;
  private bytes!: Uint8Array;
  private words!: Int32Array;
  private loaded: Uint8Array | undefined;
  /** Where the last scan began and ended, in the memory. */
  private scanned = 0;
  private scanEnd = 0;

  /** @throws Error where WebAssembly is forbidden, as by a page's content security policy, or SIMD is missing. */
  constructor({ Module, Instance }: WebAssemblyApi) {
    const module = new Module(Uint8Array.from(scanModule.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)));
    this.make = () => new Instance(module).exports;
    this.exports = this.make();
    this.look();
  }

  /** As `scanBytes`, for objects and arrays; `drops` passes over managedFields that are certainly valid. The module recognizes bytes by the identity of their array, whose content must not change between calls. */
  end(json: Uint8Array, at: number, state: number, drops = false): number {
    if (json !== this.loaded) this.load(json);
    const end = this.exports.scan(base + at, base + json.length, state, Number(drops));
    this.scanned = base + at;
    this.scanEnd = end;
    // mutation comparison: equivalent: the JSON begins after the tables of the module, so `end` is never 0
    return end < 0 ? end : end - base;
  }

  /** Whether this range of the JSON scanned last is one value, and certainly valid: ASCII without white space, integers, few escapes. */
  isPlain(start: number, end: number): boolean {
    return this.exports.plainEnd(base + start, base + end) === base + end;
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

  /** Where managedFields end that are certainly valid; negative when there are none. */
  get managedEnd(): number {
    return (this.words[2] as number) - base;
  }

  /** The position of a field's colon. */
  colonOf(field: number): number {
    return ((this.words[4 + 2 * field] as number) >> 1) - base;
  }

  /** Whether a field belongs to the metadata. */
  isInner(field: number): boolean {
    return ((this.words[4 + 2 * field] as number) & 1) === 1;
  }

  /** The `marks` before the value of a field. */
  marksBefore(field: number): number {
    return this.words[5 + 2 * field] as number;
  }

  /**
   * Compares the object scanned last, without what is cut out of it, with a template: how many values differ, -1 if it does not fit.
   *
   * Everything that counts as equal is valid JSON, at the same place of the same structure. The values that differ may be invalid.
   *
   * @param from - where to begin in the template: behind `missing` fields that the JSON lacks.
   */
  compare({ bytes, length }: TemplateText, from: number, missing: number, { cutEnd, cutStart }: Cut): number {
    const { scanEnd, scanned } = this;
    if (scanEnd - scanned > mostCompared) return -1;
    this.bytes.set(bytes, templateAt);
    return this.exports.compare(templateAt + from, templateAt + length, scanned, scanEnd, base + cutStart, base + cutEnd, missing);
  }

  /** The values that differed in the last comparison, as the JSON of an array. */
  get values(): Uint8Array {
    return this.bytes.subarray(valuesAt, this.words[valuesEndAt / 4]);
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
    this.words = new Int32Array(buffer, 0, base / 4);
    this.ways = this.words.subarray(waysAt / 4, valuesAt / 4);
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
