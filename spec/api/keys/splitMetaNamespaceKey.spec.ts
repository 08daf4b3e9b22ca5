import { describe, expect, it } from '@jest/globals';

import { splitMetaNamespaceKey } from '../../../src/api/kubernetesObject.js';

describe('splitMetaNamespaceKey', () => {
  it.each([
    ['a/b', 'a', 'b'],
    ['b', '', 'b'],
    ['', '', ''],
    ['a/', 'a', ''],
    ['/b', '', 'b'],
  ])('splits %j (KF-06)', (key, namespace, name) => {
    expect(splitMetaNamespaceKey(key)).toEqual({ namespace, name });
  });

  it.each(['a/b/c', '//', 'a//b'])('refuses %j, which has two slashes (KF-06)', (key) => {
    expect(() => splitMetaNamespaceKey(key)).toThrow(
      new TypeError(`Expected \`key\` to be "name" or "namespace/name", got ${JSON.stringify(key)}`),
    );
  });
});
