import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import type { SourceEvent } from '../../../src/api/events.js';
import { foldSource } from '../../../src/testing/suites/foldSource.js';

type Event = SourceEvent<KubernetesObject>;

const pod = (name: string, resourceVersion = '1'): KubernetesObject => ({ metadata: { namespace: 'default', name, resourceVersion } });
const init = (scope = ''): Event => ({ type: 'init', scope, reason: 'first', previousResourceVersion: '' });
const ready = (scope = ''): Event => ({ type: 'ready', scope, resourceVersion: '9' });
const page = (...items: KubernetesObject[]): Event => ({ type: 'page', items });
const change = (type: 'added' | 'modified' | 'deleted', object: KubernetesObject, scope?: string): Event => ({
  type,
  object,
  resourceVersion: '9',
  ...(scope !== undefined && { scope }),
});

function fold(...events: Event[]): Record<string, string[]> {
  const folded = foldSource<KubernetesObject>();
  for (const event of events) folded.apply(event);
  return Object.fromEntries(
    [...folded.scopes].map(([scope, objects]) => [
      scope,
      [...objects].map(([key, object]) => `${key}@${object.metadata?.resourceVersion ?? ''}`),
    ]),
  );
}

describe('foldSource', () => {
  it('shows a list when it is complete, and then every change', () => {
    expect(fold(init(), page(pod('a'), pod('b')))).toEqual({});
    expect(fold(init(), page(pod('a'), pod('b')), ready())).toEqual({ '': ['default/a@1', 'default/b@1'] });
    expect(fold(init(), page(pod('a'), pod('b')), ready(), change('deleted', pod('a')), change('modified', pod('b', '2')))).toEqual({
      '': ['default/b@2'],
    });
  });

  it('takes changes inside a list into that list', () => {
    expect(fold(init(), change('added', pod('a')), change('added', pod('b')), change('deleted', pod('a')), ready())).toEqual({
      '': ['default/b@1'],
    });
  });

  it('forgets an abandoned list, and keeps the last complete one until the next', () => {
    const complete = [init(), page(pod('a')), ready()];
    expect(fold(...complete, init(), page(pod('b')))).toEqual({ '': ['default/a@1'] });
    expect(fold(...complete, init(), page(pod('b')), init(), page(pod('c')), ready())).toEqual({ '': ['default/c@1'] });
  });

  it('keeps scopes apart', () => {
    expect(
      fold(init('web'), change('added', pod('a'), 'web'), ready('web'), init('db'), ready('db'), change('deleted', pod('a'), 'db')),
    ).toEqual({
      web: ['default/a@1'],
      db: [],
    });
  });
});
