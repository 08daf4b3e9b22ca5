import { afterEach, describe, expect, it } from '@jest/globals';
import { NEVER } from 'rxjs';
import { createInformer } from '../../../src/informer/createInformer.js';
import type { InformerOptions } from '../../../src/informer/informerOptions.js';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';

function informerWith(options: InformerOptions<KubernetesObject> = {}) {
  const messages: string[] = [];
  const informer = createInformer<KubernetesObject>(NEVER, {
    ...options,
    resource: 'pods',
    logger: { warn: (message) => void messages.push(message) },
  });
  return { informer, messages };
}

describe('a lister that is read before its informer has started', () => {
  const { NODE_ENV } = process.env;
  afterEach(() => {
    if (NODE_ENV === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = NODE_ENV;
  });

  it('says once that a lister is read before its informer has started', () => {
    const { informer, messages } = informerWith();
    expect([informer.lister.list(), informer.lister.get('default/a'), informer.lister.namespace('default').list()]).toEqual([
      [],
      undefined,
      [],
    ]);
    expect(messages).toEqual(['rx-informer: pods: its lister is read before it has started: await whenSynced() first']);
  });

  it('says nothing of an informer that has started', async () => {
    const { informer, messages } = informerWith();
    informer.start();
    informer.lister.list();
    await informer.stop();
    expect(messages).toEqual([]);
  });

  it('says nothing in production', () => {
    process.env['NODE_ENV'] = 'production';
    const { informer, messages } = informerWith();
    expect([informer.lister.list(), messages]).toEqual([[], []]);
  });
});
