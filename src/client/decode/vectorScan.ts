import { scanModule } from './scanModule.js';

/** The part of the WebAssembly API used here; TypeScript declares it in the DOM library only. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => {
    readonly exports: {
      readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): void };
      scan(at: number, end: number, state: number): number;
      compare(known: number, knownEnd: number, at: number, end: number, cut: number, behind: number, number: number): number;
      shorten(at: number, end: number, cut: number, behind: number, written: number): number;
      plainEnd(at: number, end: number): number;
    };
  };
}

/** Addresses in the module's memory: of the JSON, and of the template. */
const base = 892_928;
const templateAt = 425_984;
/** Addresses that the module writes to: the end of the text, the text, the ways, and the new elements (see scanModule.wat). */
const textEndAt = 270_336;
const textAt = 344_064;
const waysAt = 278_528;
const newsAt = 311_296;
/** The address of the table of known elements, the size of an entry in bytes, and the number of entries. */
const elementsAt = 499_712;
const elementBytes = 384;
const maxElements = 1_024;
const pageBytes = 65_536;
/** How many bytes one vector holds. */
const blockBytes = 16;
/** More memory than this, in bytes, is released before the next scan that needs less. */
const maxKept = 2 * 1024 * 1024;
const maxFields = 1_000;
/** Longer objects are not compared. */
const maxCompared = 2_097_152;
const maxShortened = 65_535;

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
  /**
   * The paths of the values that differed in the last comparison: for each value its depth, then the index in each object or array on the way to it,
   * outermost first.
   */
  ways!: Int32Array;
  private bytes!: Uint8Array;
  private words!: Int32Array;
  private loaded: Uint8Array | undefined;
  /** Where the last scan began and ended, in the memory. */
  private scanned = 0;
  private scanEnd = 0;
  /** How many elements `shorten` replaced. */
  private shortened = 0;

  /** @throws Error where WebAssembly is forbidden, as by a page's content security policy, or SIMD is missing. */
  constructor({ Module, Instance }: WebAssemblyApi) {
    const module = new Module(Uint8Array.from(atob(scanModule), (byte) => byte.charCodeAt(0)));
    this.make = () => new Instance(module).exports;
    this.exports = this.make();
    this.refreshViews();
  }

  /**
   * Like `scanBytes`, for objects and arrays. An array of bytes is loaded once and then recognized by identity, so its content must not change between calls.
   */
  end(json: Uint8Array, at: number, state: number): number {
    if (json !== this.loaded) this.load(json);
    const end = this.exports.scan(base + at, base + json.length, state);
    this.scanned = base + at;
    this.scanEnd = end;
    return end < 0 ? end : end - base;
  }

  /** Whether this range of the JSON scanned last is one value, and certainly valid: ASCII without white space, integers, few escapes. */
  isPlain(start: number, end: number): boolean {
    return this.exports.plainEnd(base + start, base + end) === base + end;
  }

  /** The number of fields of the object scanned last and of its metadata; 0 where there are too many. */
  get fields(): number {
    const count = this.words[0] as number;
    return count > maxFields ? 0 : count;
  }

  /** A hash of the number of brackets and quotes in it. */
  get marks(): number {
    return this.words[1] as number;
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
   * Compares the object scanned last, without the cut, with a template. Returns the number of differing values; -1 if it does not fit.
   *
   * Everything that counts as equal is valid JSON, at the same place of the same structure. The values that differ may be invalid.
   *
   * @param from - where to begin in the template: after the first `missing` fields, which the JSON lacks.
   */
  compare({ bytes, length }: TemplateText, from: number, missing: number, { cutEnd, cutStart }: Cut): number {
    const { scanEnd, scanned } = this;
    if (scanEnd - scanned > maxCompared) return -1;
    this.bytes.set(bytes, templateAt);
    return this.exports.compare(templateAt + from, templateAt + length, scanned, scanEnd, base + cutStart, base + cutEnd, missing);
  }

  /** The values that differed in the last comparison, as the JSON of an array, or the text that `shorten` wrote. */
  get text(): Uint8Array {
    return this.bytes.subarray(textAt, this.words[textEndAt / 4]);
  }

  /**
   * Writes the object scanned last after `prefix`, without the cut, and with a number in place of each known array element: 1,000,000,000, then
   * 1,000,000,001, and so on. Returns how many were replaced.
   *
   * @param parse - parses an element that is seen for the second time. `place` is its entry in the table, below 1,024.
   */
  shorten(prefix: Uint8Array, { cutEnd, cutStart }: Cut, parse: (text: Uint8Array, place: number) => void): number {
    const { bytes, scanEnd, scanned, words } = this;
    if (scanEnd - scanned > maxShortened) return 0;
    bytes.set(prefix, textAt);
    const count = this.exports.shorten(scanned, scanEnd, base + cutStart, base + cutEnd, textAt + prefix.length);
    const news = words[textEndAt / 4 + 1] as number;
    for (let index = 0; index < (count && news); index += 1) {
      const at = words[newsAt / 4 + index] as number;
      parse(bytes.subarray(at + 24, at + 24 + (words[at / 4 + 1] as number)), (at - elementsAt) / elementBytes);
      words[at / 4 + 2] = 1;
    }
    return (this.shortened = count);
  }

  /**
   * The entry of the element that `shorten` replaced by a number; the first number is 0. Returns 1,024 if the number was looked up before, and -1 for any
   * other number.
   */
  placeOf(number: number): number {
    const { shortened, ways } = this;
    const at = number < shortened ? ways[number] : undefined;
    if (at === undefined) return -1;
    ways[number] = elementsAt + elementBytes * maxElements;
    return (at - elementsAt) / elementBytes;
  }

  private load(json: Uint8Array): void {
    const needed = base + json.length + blockBytes;
    if (this.bytes.length > maxKept && needed <= maxKept) {
      this.exports = this.make();
      this.refreshViews();
    }
    if (needed > this.bytes.length) {
      this.exports.memory.grow(Math.ceil((needed - this.bytes.length) / pageBytes));
      this.refreshViews();
    }
    this.bytes.set(json, base);
    this.loaded = json;
  }

  private refreshViews(): void {
    const { buffer } = this.exports.memory;
    this.bytes = new Uint8Array(buffer);
    this.words = new Int32Array(buffer, 0, base / 4);
    this.ways = this.words.subarray(waysAt / 4, textAt / 4);
  }
}

let known: { readonly scan: VectorScan | undefined } | undefined;

/**
 * The process's scanner, created when it is first needed; undefined where WebAssembly or SIMD is missing.
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
