import { describe, expect, it } from '@jest/globals';
import { streamsList, type StreamsListFacts } from '../../../src/source/reflector/streamsList.js';

const facts: StreamsListFacts = {
  strategy: 'auto',
  semantics: 'any',
  supported: undefined,
  refusedUntil: undefined,
  now: 1000,
  first: true,
};

describe('streamsList', () => {
  it.each<[string, Partial<StreamsListFacts>, boolean]>([
    ['by default', {}, true],
    ['where the source can', { supported: true }, true],
    ['where the source cannot', { supported: false }, false],
    ['where the server has refused', { refusedUntil: 1001 }, false],
    ['where the server has refused long ago', { refusedUntil: 1000 }, true],
    ['when told not to', { strategy: 'list' }, false],
    ['when told to, whatever the server says', { strategy: 'watchList', refusedUntil: 1001 }, true],
    ['at exactly a version', { semantics: { exact: '5' } }, false],
    ['after the list at exactly a version', { semantics: { exact: '5' }, first: false }, true],
    ['at least at a version', { semantics: { notOlderThan: '5' } }, true],
  ])('%s (LW-07, WL-01)', (_, more, expected) => {
    expect(streamsList({ ...facts, ...more })).toBe(expected);
  });
});
