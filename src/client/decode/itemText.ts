import { endOfPlainValue } from './endOfPlainValue.js';
import { fieldAt, standsAt } from './fieldAt.js';
import type { ItemShape } from './parseObject.js';
import type { TemplateText } from './template.js';

const utf8 = new TextEncoder();
const metadataKey = utf8.encode('"metadata":{');
const managedFieldsKey = utf8.encode('"managedFields":');
const typeKeys = ['"kind"', '"apiVersion"'].map((key) => utf8.encode(key));

const quote = 0x22;
const comma = 0x2c;
const closeBrace = 0x7d;
const space = 0x20;

/** Where `,"managedFields":...` stands in the metadata of the object whose first key is at `at`, if it certainly does. */
function managedFieldsRange(json: Uint8Array, at: number): { readonly start: number; readonly end: number } | undefined {
  const metadata = fieldAt(json, at, metadataKey);
  if (metadata === -1) return undefined;
  const first = metadata + metadataKey.length;
  const start = fieldAt(json, first, managedFieldsKey);
  if (start <= first) return undefined;
  const end = endOfPlainValue(json, start + managedFieldsKey.length);
  return end !== -1 && (json[end] === comma || json[end] === closeBrace) ? { start: start - 1, end } : undefined;
}

/**
 * Brings the JSON of objects into the form in which they are parsed: without managedFields, if these are to be dropped, and with `kind` and `apiVersion`.
 */
export class ItemText {
  /** What is put before the fields of an object that does not begin with its type. */
  readonly prefix: Uint8Array;
  private readonly dropsManagedFields: boolean;
  private scratch = new Uint8Array(16_384);

  constructor({ apiVersion, kind, managedFields }: ItemShape) {
    this.prefix = utf8.encode(`{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},`);
    this.dropsManagedFields = managedFields === 'drop';
  }

  /** Whether the object that begins at `at` has its type before all else, or is none that lacks it. */
  isTyped(json: Uint8Array, at: number): boolean {
    let first = at + 1;
    while ((json[first] ?? quote) <= space) first += 1;
    return json[first] !== quote || typeKeys.some((key) => standsAt(json, first, key));
  }

  /**
   * The text of the object that stands from `at` to `end`, in memory that may be used again.
   *
   * @param isTyped - whether nothing is to be put before it.
   */
  of(json: Uint8Array, at: number, end: number, isTyped: boolean): TemplateText {
    const cut = this.dropsManagedFields ? managedFieldsRange(json, at + 1) : undefined;
    if (isTyped && cut === undefined) return { bytes: json.subarray(at, end), length: end - at, cutAt: -1 };
    const { prefix } = this;
    const most = prefix.length + end - at;
    if (this.scratch.length < most) this.scratch = new Uint8Array(2 * most);
    const { scratch } = this;
    let written = 0;
    if (!isTyped) {
      scratch.set(prefix);
      written = prefix.length;
    }
    const start = isTyped ? at : at + 1;
    scratch.set(json.subarray(start, cut?.start ?? end), written);
    written += (cut?.start ?? end) - start;
    if (cut === undefined) return { bytes: scratch, length: written, cutAt: -1 };
    scratch.set(json.subarray(cut.end, end), written);
    return { bytes: scratch, length: written + end - cut.end, cutAt: written };
  }
}
