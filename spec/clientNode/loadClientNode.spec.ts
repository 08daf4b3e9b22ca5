import { describe, expect, it } from '@jest/globals';

import { loadClientNode } from '../../src/clientNode/loadClientNode.js';

describe('loadClientNode', () => {
  it('loads @kubernetes/client-node', async () => {
    const { KubeConfig } = await loadClientNode();

    expect(new KubeConfig().clusters).toEqual([]);
  });
});
