import { leftOut } from './differences.js';
import { opensNested } from './endOfValue.js';
import { Template, type TemplateText } from './template.js';
import type { TemplateMatch } from './templateMatch.js';

/** Whether only strings, numbers and literals differ. */
function hasTemplateLayout({ differences, json, template }: TemplateMatch): boolean {
  const { count, values, starts } = differences;
  for (let at = 0; at < count; at += 1) {
    const value = values[at] as number;
    if (value === leftOut) continue;
    const before = template.bytes[template.starts[value] as number] as number;
    const now = json.bytes[starts[at] as number] as number;
    if (opensNested(before) || opensNested(now)) return false;
  }
  return true;
}

function textOf({ differences, from, json, start, template }: TemplateMatch, end: number, bytes: Uint8Array): TemplateText {
  const cut = differences.values.subarray(0, differences.count).indexOf(leftOut);
  const cutStart = cut === -1 ? end : (differences.starts[cut] as number);
  const cutEnd = cut === -1 ? end : (differences.ends[cut] as number);
  bytes.set(template.bytes.subarray(0, from));
  bytes.set(json.bytes.subarray(start, cutStart), from);
  const cutAt = from + cutStart - start;
  bytes.set(json.bytes.subarray(cutEnd, end), cutAt);
  return { bytes, length: cutAt + end - cutEnd, cutAt: cut === -1 ? -1 : cutAt };
}

/**
 * Makes a template of the object that was compared last, if it has the layout of its own template. That takes a fraction of reading the layout.
 *
 * @param name - the number of its name.
 * @param end - where the object's JSON ends.
 * @param bytes - memory for its JSON.
 * @param starts - memory for where its values begin.
 */
export function derivedTemplate(
  match: TemplateMatch,
  object: Readonly<Record<string, unknown>>,
  name: number,
  end: number,
  bytes: Uint8Array,
  starts: Uint16Array,
): Template | undefined {
  const { differences, from, start, template } = match;
  const { layout, starts: known } = template;
  if (!hasTemplateLayout(match)) return undefined;
  let moved = 0;
  let shift = start - from;
  let next = 0;
  for (let at = 0; at <= differences.count; at += 1) {
    const isLast = at === differences.count;
    const value = isLast ? layout.count - 1 : (differences.values[at] as number);
    for (; next <= value; next += 1) starts[next] = (known[next] as number) + moved;
    if (isLast) break;
    const behind = differences.shifts[at] as number;
    if (value !== leftOut) moved += behind - shift;
    shift = behind;
  }
  return new Template(object, name, layout, textOf(match, end, bytes), starts);
}
