import { setImmediate } from 'node:timers/promises';
import { expect, it, jest } from '@jest/globals';
import { of, VirtualTimeScheduler } from 'rxjs';
import { createInformer, type KubernetesObject, resources } from 'rx-informer';
import { fakeCollection } from '@rx-informer/views/testing';
import { advanceBy } from 'rx-informer/testing';
import { Link, pageSource, relayCore } from './link.js';

const refusals: Readonly<Record<string, (reason: Error) => unknown>> = {
  throws: (reason) => {
    throw reason;
  },
  'rejects later': async (reason) => Promise.reject(reason),
};

it.each(Object.entries(refusals))('goes on when `audit` %s, and logs that', async (_, refuse) => {
  const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  const scheduler = new VirtualTimeScheduler();
  const collection = fakeCollection<KubernetesObject>([{ metadata: { namespace: 'a', name: 'x' } }], { name: 'pods', scheduler });
  const core = relayCore({
    scheduler,
    authorizer: { review: () => of(true) },
    sources: { pods: { collection, resource: resources.core.v1.pods } },
    audit: ({ type }) => refuse(new Error(`no room for ${type}`)),
  });
  const page = createInformer(pageSource(new Link(core), scheduler, { kind: 'pods' }), { scheduler, resource: 'pods' });
  page.start();
  advanceBy(scheduler, 1_000);
  expect(page.indexer.listKeys()).toEqual(['a/x']);
  await page.stop();
  advanceBy(scheduler, 1_000);
  await setImmediate();
  expect(core.figures().streams).toBe(0);
  expect(warn.mock.calls.flat()).toEqual([
    'rx-informer: `audit` of `createRelay` has failed: no room for opened',
    'rx-informer: `audit` of `createRelay` has failed: no room for closed',
  ]);
  warn.mockRestore();
});
