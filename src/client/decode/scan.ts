import { closesNested, endsScalar, opensNested } from './endOfValue.js';
import { scanModule } from './scanModule.js';

const quote = 0x22;
const backslash = 0x5c;

/** The state of a scan within a string, and with one object or array open. */
const inString = 1;
const nested = 4;

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
/** The module reads so many bytes at a time. */
const blockBytes = 16;
/** More memory than for so many bytes is not kept. */
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

/**
 * Scans JSON from `at` on for the end of what is open there, byte by byte.
 *
 * It knows strings and nesting; whether the value is valid is for the parser to say.
 *
 * @param state - what is open before `at`: `depth << 2 | isEscaped << 1 | isInString`. Either a string or an object or array has to be.
 * @returns the index behind the end; `~state` behind the last byte when the value goes on there.
 */
export function scanBytes(json: Uint8Array, at: number, state: number): number {
  const { length } = json;
  let depth = state >> 2;
  let isInString = (state & 1) !== 0;
  let next = (state & 2) === 0 ? at : at + 1;
  while (next < length) {
    const byte = json[next] as number;
    next += 1;
    if (byte === backslash) next += 1;
    else if (byte === quote) isInString = !isInString;
    else if (isInString) continue;
    else if (opensNested(byte)) depth += 1;
    else if (closesNested(byte)) depth -= 1;
    if (depth === 0 && !isInString) return next;
  }
  return ~((depth << 2) | (Number(next > length) << 1) | Number(isInString));
}

/**
 * Finds the end of a JSON value whose bytes may come in several parts, each of which is looked at once. Whether the value is valid is for the parser to say.
 */
export class ValueEnd {
  private isScalar = false;
  /** What is open where the bytes before ended, as `scanBytes` says it. */
  private state = 0;

  /** The index behind the value that begins at `at`: `at` itself where none begins, -1 when it goes on behind these bytes, as a number may. */
  of(json: Uint8Array, at: number): number {
    const first = json[at] as number;
    const isNested = opensNested(first);
    this.isScalar = !isNested && first !== quote;
    return this.isScalar ? this.endOfScalar(json, at) : this.find(json, at + 1, isNested ? nested : inString);
  }

  /** The index behind the value that goes on with these bytes; -1 when it goes on behind them, too. */
  next(json: Uint8Array): number {
    return this.isScalar ? this.endOfScalar(json, 0) : this.find(json, 0, this.state);
  }

  private find(json: Uint8Array, at: number, state: number): number {
    const scan = state < nested ? undefined : vectorScan();
    const end = scan === undefined ? scanBytes(json, at, state) : scan.end(json, at, state);
    if (end >= 0) return end;
    this.state = ~end;
    return -1;
  }

  private endOfScalar(json: Uint8Array, at: number): number {
    for (let next = at; next < json.length; next += 1) if (endsScalar(json[next] as number)) return next;
    return -1;
  }
}
