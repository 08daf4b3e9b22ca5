import { describe, expect, it } from '@jest/globals';
import { jsonBytes } from '../../../src/client/decode/jsonBytes.js';
import { LastVersions } from '../../../src/client/decode/lastVersions.js';
import { TemplateMatch } from '../../../src/client/decode/templateMatch.js';
import { Templates } from '../../../src/client/decode/templates.js';

const utf8 = new TextEncoder();

/** A comparison that found as many bytes to be different. */
function matchOf(different: number): TemplateMatch {
  const templates = new Templates();
  const object = { value: '' };
  const bytes = utf8.encode(JSON.stringify(object));
  templates.make({ family: 1, name: 1 }, { bytes, length: bytes.length, cutAt: -1 }, object);
  const template = templates.like(1);
  if (template === undefined) throw new Error('Expected a template');
  const match = new TemplateMatch();
  match.read(template, 1, jsonBytes(utf8.encode(JSON.stringify({ value: 'x'.repeat(different) }))), 1);
  return match;
}

describe('LastVersions', () => {
  it('has the last version of an object until it is deleted', () => {
    const versions = new LastVersions();
    const [first, second] = [{}, {}];
    versions.set(1, first, matchOf(10));
    versions.set(2, {}, matchOf(10));
    versions.set(1, second, matchOf(20));
    expect(versions.get(1)?.object).toBe(second);
    versions.delete(1);
    expect(versions.get(1)).toBeUndefined();
    expect(versions.get(2)).toBeDefined();
  });

  it('lets the oldest ones go when there is no room', () => {
    const versions = new LastVersions();
    const size = 60_000;
    const many = 600;
    const match = matchOf(size);
    for (let name = 0; name < many; name += 1) versions.set(name, {}, match);
    const isKept = Array.from({ length: many }, (_, name) => versions.get(name) !== undefined);
    const kept = isKept.filter(Boolean).length;
    expect(isKept).toEqual(Array.from({ length: many }, (_, name) => name >= many - kept));
    expect(kept * size).toBeLessThanOrEqual(32 * 1024 * 1024);
    expect(kept * size).toBeGreaterThan(30 * 1024 * 1024);
  });

  it('counts what it has, and not what was deleted or replaced', () => {
    const versions = new LastVersions();
    const match = matchOf(60_000);
    for (let round = 0; round < 3; round += 1) {
      for (let name = 0; name < 300; name += 1) versions.set(name, {}, match);
      for (let name = 0; name < 300; name += 1) versions.set(name, {}, match);
      expect(versions.get(0)).toBeDefined();
      for (let name = 0; name < 300; name += 1) versions.delete(name);
    }
  });
});
