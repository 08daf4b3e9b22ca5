import { describe, expect, it } from '@jest/globals';
import { ItemText } from '../../../src/client/decode/itemText.js';

const utf8 = new TextEncoder();
const shape = { kind: 'Pod', apiVersion: 'v1', metadataOnly: false } as const;

/** The text of an object in the middle of others, and how much of it stands before what was cut out. */
function textOf(json: string, managedFields: 'drop' | 'keep', isTyped = true, text = new ItemText({ ...shape, managedFields })) {
  const before = '[{},';
  const bytes = utf8.encode(`${before}${json},{}]`);
  const { bytes: found, length, cutAt } = text.of(bytes, before.length, before.length + utf8.encode(json).length, isTyped);
  return { text: new TextDecoder().decode(found.subarray(0, length)), cutAt };
}

describe('ItemText', () => {
  it.each([
    ['{"kind":"Pod"}', true],
    ['{"apiVersion":"v1"}', true],
    ['{ "kind":"Pod"}', true],
    ['{\n\t"apiVersion":"v1"}', true],
    ['{"metadata":{}}', false],
    ['{ "metadata":{}}', false],
    ['{"kinds":1}', false],
    ['{}', true],
    ['{ }', true],
  ])('sees of %j whether it has its type before all else: %s', (json, expected) => {
    expect(new ItemText({ ...shape, managedFields: 'keep' }).isTyped(utf8.encode(`,${json}`), 1)).toBe(expected);
  });

  const typed = '{"kind":"Pod","apiVersion":"v1",';
  const metadata = '"metadata":{"name":"a"';
  it.each([
    ['in the middle of the metadata', `${metadata},"managedFields":[{"a":"]}"}],"uid":"u"},"b":1}`, `${metadata},"uid":"u"},"b":1}`],
    ['at the end of it', `${metadata},"managedFields":[]},"b":1}`, `${metadata}},"b":1}`],
  ])('leaves managedFields out: %s', (_, json, expected) => {
    const cutAt = typed.length + metadata.length;
    expect(textOf(typed + json, 'drop')).toEqual({ text: typed + expected, cutAt });
    expect(textOf(`{${json}`, 'drop', false)).toEqual({ text: typed + expected, cutAt });
    expect(textOf(typed + json, 'keep')).toEqual({ text: typed + json, cutAt: -1 });
    expect(textOf(`{${json}`, 'keep', false)).toEqual({ text: typed + json, cutAt: -1 });
  });

  it.each([
    ['first in the metadata', '"metadata":{"managedFields":[],"name":"a"}}'],
    ['of something else', '"spec":{"managedFields":[]},"metadata":{}}'],
    ['that is no plain JSON', `${metadata},"managedFields":[{"a":"é"}]}}`],
    ['behind which there is something else', `${metadata},"managedFields":[]x}}`],
    ['of an object without metadata', '"spec":{}}'],
  ])('leaves managedFields to the parser, %s', (_, json) => {
    expect(textOf(typed + json, 'drop')).toEqual({ text: typed + json, cutAt: -1 });
  });

  it('takes objects of any length, one after the other', () => {
    const text = new ItemText({ ...shape, managedFields: 'drop' });
    for (const length of [10, 100_000, 20, 400_000]) {
      const rest = `"note":"${'x'.repeat(length)}"}`;
      expect(textOf(`{"a":1,${rest}`, 'drop', false, text)).toEqual({ text: `${typed}"a":1,${rest}`, cutAt: -1 });
    }
  });
});
