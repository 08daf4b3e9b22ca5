import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import type { WatchEvent } from '../../../src/api/events/watchEvent.js';
import { watchEventProblem } from '../../../src/source/reflector/watchEventProblem.js';

const pods = { apiVersion: 'v1', kind: 'Pod' };
const metadata = { name: 'a' };

describe('watchEventProblem', () => {
  it.each<[string, unknown, string | undefined]>([
    ['the expected kind', { type: 'ADDED', object: { ...pods, metadata } }, undefined],
    ['a bookmark', { type: 'BOOKMARK', object: { ...pods, metadata } }, undefined],
    ['no kind at all', { type: 'ADDED', object: { metadata } }, undefined],
    ['another kind', { type: 'ADDED', object: { ...pods, kind: 'Node', metadata } }, 'ADDED with a v1 Node instead of a v1 Pod'],
    ['another version', { type: 'ADDED', object: { ...pods, apiVersion: 'v2', metadata } }, 'ADDED with a v2 Pod instead of a v1 Pod'],
    [
      'a bookmark of another kind',
      { type: 'BOOKMARK', object: { ...pods, kind: 'Node', metadata } },
      'BOOKMARK with a v1 Node instead of a v1 Pod',
    ],
    ['no metadata', { type: 'DELETED', object: pods }, 'DELETED whose object has no metadata'],
    ['null as metadata', { type: 'DELETED', object: { ...pods, metadata: null } }, 'DELETED whose object has no metadata'],
    ['null', { type: 'DELETED', object: null }, 'DELETED whose object has no metadata'],
    ['an unknown type', { type: 'RENAMED', object: { metadata } }, 'of unknown type "RENAMED"'],
  ])('%s (RW-19)', (_, event, problem) => {
    expect(watchEventProblem(event as WatchEvent<KubernetesObject>, pods)).toBe(problem);
  });

  it('takes any kind where none is expected', () => {
    expect(watchEventProblem({ type: 'ADDED', object: { ...pods, metadata } }, undefined)).toBeUndefined();
  });
});
