import { endOfValue } from './endOfValue.js';

/**
 * A field that is left out, as it stands in one object: to find its end in others, which mostly have the same.
 */
export interface CutField {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Where its strings begin and end, one after the other. */
  readonly strings: Uint16Array;
}

const quote = 0x22;

/**
 * Remembers such a field; undefined for one that is too long.
 */
export function cutField(json: Uint8Array): CutField | undefined {
  if (json.length > 0xffff) return undefined;
  const bytes = json.slice();
  const strings: number[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] !== quote) continue;
    const end = endOfValue(bytes, at, bytes.length);
    strings.push(at, end);
    at = end - 1;
  }
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length), strings: Uint16Array.from(strings) };
}

/**
 * The index behind what stands at `at` when it differs from the remembered field inside of strings only; -1 otherwise.
 */
export function endOfAlike({ bytes, view, strings }: CutField, json: Uint8Array, jsonView: DataView, start: number, limit: number): number {
  const { length } = bytes;
  let shift = start;
  let at = 0;
  let string = 0;
  for (;;) {
    const end = Math.min(length, limit - shift);
    while (at <= end - 4 && view.getInt32(at, true) === jsonView.getInt32(at + shift, true)) at += 4;
    while (at < end && bytes[at] === json[at + shift]) at += 1;
    if (at === length) return at + shift;
    if (at === end) return -1;
    while (string < strings.length && (strings[string + 1] as number) <= at) string += 2;
    const first = strings[string] ?? length;
    if (first >= at) return -1;
    const behind = endOfValue(json, first + shift, limit);
    if (behind === -1) return -1;
    at = strings[string + 1] as number;
    shift = behind - at;
  }
}
