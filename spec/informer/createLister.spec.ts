import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../../src/api/errors/apiError.js';
import type { KubernetesObject } from '../../src/api/kubernetesObject.js';
import { parseLabelSelector } from '../../src/api/selectors.js';
import { createIndexer } from '../../src/cache/store/createIndexer.js';
import { metaNamespaceIndexFunc, namespaceIndex } from '../../src/cache/store/indexFuncs.js';
import { createLister } from '../../src/informer/createLister.js';

const object = (namespace: string | undefined, name: string, labels?: Record<string, string>): KubernetesObject => ({
  metadata: { name, ...(namespace !== undefined && { namespace }), ...(labels !== undefined && { labels }) },
});
const web = object('default', 'web', { app: 'web', tier: 'front' });
const db = object('default', 'db', { app: 'db' });
const other = object('other', 'web', { app: 'web' });
const bare = object('other', 'bare');
const node = object(undefined, 'node-1');
const all = [web, db, other, bare, node];

const indexed = createIndexer({ indexers: { [namespaceIndex]: metaNamespaceIndexFunc }, initialObjects: all });
const plain = createIndexer({ initialObjects: all });

describe.each([
  ['with an index by namespace', indexed],
  ['without one', plain],
])('createLister, %s', (_, indexer) => {
  const lister = createLister({ indexer, resource: 'deployments.apps' });

  it('lists everything without a selector, and with an empty one, as a new array (LI-01)', () => {
    expect(lister.list()).toEqual(all);
    expect(lister.list('')).toEqual(all);
    lister.list().length = 0;
    expect(lister.list({})).toHaveLength(5);
  });

  it('hands out the cached objects themselves (LI-05)', () => {
    expect(lister.list('tier=front')[0]).toBe(web);
    expect(lister.get('default/web')).toBe(web);
  });

  it.each([
    ['text', 'app=web', [web, other]],
    ['text with several conditions', 'app in (web, db), tier!=front', [db, other]],
    ['an object of a spec', { matchLabels: { app: 'web' } }, [web, other]],
    ['a parsed selector', parseLabelSelector('app'), [web, db, other]],
    ['one that selects nothing', 'app=none', []],
  ])('selects by %s (LI-06)', (__, selector, expected) => {
    expect(lister.list(selector)).toEqual(expected);
  });

  it('refuses a selector that cannot be parsed', () => {
    expect(() => lister.list('app in web')).toThrow(TypeError);
  });

  it('lists one namespace, and all of them for an empty name (LI-02)', () => {
    expect(lister.namespace('other').list()).toEqual([other, bare]);
    expect(lister.namespace('other').list('app')).toEqual([other]);
    expect(lister.namespace('none').list()).toEqual([]);
    expect(lister.namespace('').list()).toEqual(all);
  });

  it('lists the arrays of a namespace as they are', () => {
    const arrays = createIndexer<readonly string[]>({ keyFunc: ([key = '']) => key, initialObjects: [['default/a', 'b'], ['other/c']] });
    expect(createLister({ indexer: arrays, resource: 'arrays' }).namespace('default').list()).toEqual([['default/a', 'b']]);
  });

  it('gets by name within a namespace, and cluster-scoped objects by name alone (LI-04)', () => {
    expect(lister.namespace('other').get('web')).toBe(other);
    expect(lister.namespace('').get('node-1')).toBe(node);
    expect(lister.get('node-1')).toBe(node);
    expect(lister.namespace('other').get('db')).toBeUndefined();
  });

  it('throws the error of a server for an object that is not there (LI-03)', () => {
    const error = (() => {
      try {
        lister.namespace('default').getOrThrow('gone');
      } catch (thrown) {
        return thrown;
      }
      return undefined;
    })();
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 404, reason: 'NotFound', message: 'deployments.apps "gone" not found' });
    expect((error as ApiError).status?.details).toEqual({ name: 'gone', kind: 'deployments', group: 'apps' });
    expect(lister.getOrThrow('default/db')).toBe(db);
  });
});
