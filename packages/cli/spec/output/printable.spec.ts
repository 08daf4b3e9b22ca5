import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'yaml';
import { ApiError, type ResourceEvent, resources, type UnstructuredObject } from 'rx-informer';
import { errorLine } from '../../src/output/errorLine.js';
import { objectFormats } from '../../src/output/objectFormats.js';
import { printable, printableJson, printableYaml } from '../../src/output/printable.js';
import { growingTable } from '../../src/output/tableFormat.js';
import { anyCharacter } from '../../../../spec/anyCharacter.js';

const attack = '\u001b[2J\u009b1A\rnode/root   Ready\nnode/fake   Ready\u202e\u2028';
/** Line ends belong to the formats. */
const acts = /(?![\n\t])[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

const subject = { resource: resources.core.v1.pods as never, columns: [], showKind: false, colour: false, allNamespaces: true };
const object: UnstructuredObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `web${attack}`, namespace: attack, resourceVersion: attack, labels: { [attack]: attack } },
  status: { phase: attack, reason: attack },
};
const event: ResourceEvent<UnstructuredObject> = { type: 'added', key: attack, object, initial: false, inferred: false };
const synced: ResourceEvent<UnstructuredObject> = { type: 'synced', resourceVersion: attack, previousResourceVersion: '' };

describe('what a server sent, on a terminal', () => {
  it.each(Object.entries(objectFormats))('is escaped by -o %s', (_, format) => {
    expect(format(event, subject) + format(synced, subject)).not.toMatch(acts);
  });

  it('is escaped in tables, and makes no rows', () => {
    const format = growingTable(() => 0);
    const text = format(event, subject) + format(synced, subject) + format(event, subject);
    expect(text).not.toMatch(acts);
    expect(text.trimEnd().split('\n')).toHaveLength(3);
  });

  it('is escaped in errors', () => {
    expect(errorLine(new ApiError({ code: 403, message: `no\u001b[31m ${attack}` }))).not.toMatch(/\p{Cc}/u);
  });

  it('means the same as JSON and as YAML (property)', () => {
    // What YAML 1.1, as kubectl reads it, takes for a truth value, a number or a time.
    const other = fc.constantFrom(
      'yes',
      'No',
      'on',
      'y',
      '1_000',
      '012',
      '12:30:00',
      '0b11',
      '2026-01-01',
      '~',
      '=',
      '<<',
      '.5',
      '\u0085',
      ' a\n',
    );
    const text = fc.oneof(
      other,
      fc.string({ unit: anyCharacter }).map((value) => value.replace(/\p{Cs}/gu, '')),
    );
    const value = fc.dictionary(fc.oneof(text, fc.constant(attack)), fc.oneof(text, fc.constant(attack), fc.array(text), fc.integer()));
    fc.assert(
      fc.property(value, (given) => {
        expect(JSON.parse(printableJson(given))).toEqual(JSON.parse(JSON.stringify(given)));
        for (const version of ['1.1', '1.2'] as const) expect(parse(printableYaml(given), { version })).toEqual(given);
        expect(printableYaml(given)).not.toMatch(acts);
      }),
    );
  });

  it('shows what it was', () => {
    expect(printable('a\u001bb\u009bc\nd')).toBe('a\\u001bb\\u009bc\\u000ad');
  });
});
