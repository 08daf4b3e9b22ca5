import { describe, expect, it } from '@jest/globals';
import type { ResourceChange } from '../../src/api/events/resourceChange.js';
import type { KubernetesObject } from '../../src/api/kubernetesObject.js';
import type { Collection } from '../../src/informer/collection.js';
import { fakeCollection } from '../../src/testing/fakes/fakeCollection.js';
import { derive } from '../../src/views/derive.js';
import { none } from '../../src/views/none.js';

interface Pod extends KubernetesObject {
  readonly ready?: boolean;
}
interface Service extends KubernetesObject {
  readonly selector?: Readonly<Record<string, string>>;
}

const pod = (key: string, app: string, version = '1', ready = true): Pod => {
  const [namespace = '', name = ''] = key.split('/');
  return { metadata: { namespace, name, labels: { app, tier: 'x' }, resourceVersion: version }, ready };
};
const service = (key: string, selector?: Readonly<Record<string, string>>): Service => {
  const [namespace = '', name = ''] = key.split('/');
  return { metadata: { namespace, name }, ...(selector && { selector }) };
};

/** The changes of a collection in short: +key, ~key, -key. */
function record<T>(collection: Collection<T>, show: (value: T) => unknown = () => ''): string[] {
  const seen: string[] = [];
  collection.change$.subscribe({
    next: ({ events }: ResourceChange<T>) =>
      seen.push(
        events
          .map(({ type, key, object }) => `${type === 'added' ? '+' : type === 'deleted' ? '-' : '~'}${key}${type === 'deleted' ? '' : String(show(object))}`)
          .join(' '),
      ),
    error: (error: unknown) => seen.push(`error ${(error as Error).message}`),
    complete: () => seen.push('complete'),
  });
  return seen;
}

const podNames = (pods: readonly Pod[]): string => `(${pods.map(({ metadata }) => metadata?.name ?? '').join(' ')})`;

describe('derive', () => {
  it('joins by selector, and computes again only what a change touches', () => {
    const pods = fakeCollection([pod('n/a', 'web'), pod('n/b', 'db'), pod('m/c', 'web')], { name: 'pods' });
    const services = fakeCollection([service('n/web', { app: 'web' }), service('n/db', { app: 'db' }), service('n/none')], { name: 'services' });
    const backends = derive(services, ({ metadata, selector }, read) =>
      read(pods, { namespace: metadata?.namespace, labelSelector: selector ?? none }),
    );
    const seen = record(backends, podNames);
    expect(seen).toEqual(['+n/web(a) +n/db(b) +n/none()']);
    pods.put(pod('n/d', 'web'));
    pods.put(pod('m/e', 'web'));
    pods.put(pod('n/b', 'web', '2'));
    pods.remove('n/a');
    services.remove('n/none');
    expect(seen.slice(1)).toEqual(['~n/web(a d)', '~n/db() ~n/web(a b d)', '~n/web(b d)', '-n/none']);
    expect(backends.counters().computed).toBe(3 + 1 + 2 + 1 + 1);
  });
});
