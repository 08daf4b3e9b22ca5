import { describe, expect, it } from '@jest/globals';
import type { Trace } from 'rx-informer/pipeline';
import { createSilence } from '../../src/demo/silence.js';

type TraceStep = Parameters<Trace>[0];

const about = { name: 'pods', resource: 'pods', scope: '', id: 1, verb: 'watch' } as const;
const requested = (at: number): TraceStep => ({ stage: 'request', at, ...about, request: {} });
const line = (at: number): TraceStep => ({ stage: 'line', at, ...about, event: { type: 'ADDED', object: {} } });
const ended = (at: number, outcome: 'aborted' | 'failed'): TraceStep => ({ stage: 'end', at, ...about, outcome, lastedMs: at });

describe('createSilence', () => {
  it.each([
    ['nothing came for the whole time', [requested(0), line(1_000), ended(5_000, 'aborted')], true],
    ['nothing ever came', [requested(0), ended(4_000, 'aborted')], true],
    ['something came just before it was given up', [requested(0), line(4_900), ended(5_000, 'aborted')], false],
    ['the connection was cut', [requested(0), ended(5_000, 'failed')], false],
    ['an earlier watch was silent', [requested(0), ended(4_000, 'aborted'), requested(4_001), ended(5_000, 'aborted')], false],
  ])('goes by the last line: %s', (_, steps, expected) => {
    const isSilent = createSilence(4_000);
    expect(steps.map(isSilent).at(-1)).toBe(expected);
  });
});
