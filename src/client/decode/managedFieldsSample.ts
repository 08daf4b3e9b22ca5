import { endOfPlainValue, endOfPlainString } from './endOfPlainValue.js';
import { endOfString } from './endOfValue.js';
import { firstDifference, jsonBytes, type JsonBytes } from './jsonBytes.js';

const quote = 0x22;
const maxBytes = 0xffff;
/** After so many that were different, another sample is taken. */
const patience = 8;

/**
 * Finds out where managedFields end, by comparing them with others: those of objects of one kind differ inside of strings, and nowhere else.
 */
export class ManagedFieldsSample {
  private known: JsonBytes = jsonBytes(new Uint8Array());
  /** Where each string of the sample begins and ends. */
  private strings: Uint16Array = new Uint16Array();
  private misses = patience;

  /** The index behind the value that begins at `at`, if it is certainly valid JSON; -1 otherwise. */
  endOf(json: JsonBytes, at: number): number {
    const alike = this.endOfAlike(json, at);
    if (alike !== -1) return alike;
    const end = endOfPlainValue(json.bytes, at);
    if (end !== -1) this.missed(json.bytes, at, end);
    return end;
  }

  private endOfAlike(json: JsonBytes, start: number): number {
    const { known, strings } = this;
    const { length } = known.bytes;
    let shift = start;
    let at = 0;
    let string = 0;
    while (at < length) {
      const end = Math.min(length, json.bytes.length - shift);
      at = firstDifference(known, at, end, json, shift);
      if (at === length) break;
      if (at === end) return -1;
      while ((strings[string + 1] ?? length) <= at) string += 2;
      const first = strings[string] ?? length;
      if (first >= at) return -1;
      const behind = endOfPlainString(json.bytes, first + shift);
      if (behind === -1) return -1;
      at = strings[string + 1] as number;
      shift = behind - at;
    }
    return length === 0 ? -1 : at + shift;
  }

  private missed(json: Uint8Array, start: number, end: number): void {
    this.misses += 1;
    if (this.misses < patience || end - start > maxBytes) return;
    this.misses = 0;
    // Not `slice`, which shares memory where the bytes are a Buffer.
    const bytes = new Uint8Array(json.subarray(start, end));
    const strings: number[] = [];
    for (let at = 0; at < bytes.length; at += 1) {
      if (bytes[at] !== quote) continue;
      const behind = endOfString(bytes, at);
      strings.push(at, behind);
      at = behind - 1;
    }
    this.known = jsonBytes(bytes);
    this.strings = Uint16Array.from(strings);
  }
}
