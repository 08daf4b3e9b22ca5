import { afterEach, expect, it, jest } from '@jest/globals';
import { NEVER } from 'rxjs';
import { Requester } from '../../../src/client/requests/requester.js';
import { wholeRequests } from '../../../src/client/requests/wholeRequests.page.js';

const path = '../../../src/client/requests/wholeRequests.js';
afterEach(() => void jest.resetModules());

it('loads its module again after a failure, as of a network that was away', async () => {
  let isAway = true;
  jest.unstable_mockModule(path, () => {
    if (isAway) throw new TypeError('Failed to fetch dynamically imported module');
    return { wholeRequests: () => ({ getPath: () => Promise.resolve('answer'), readPath: () => NEVER }) };
  });
  const { getPath, discovery } = wholeRequests(new Requester({ connect: () => Promise.reject(new Error('unused')) }));
  const failed = getPath('/version');
  discovery.invalidate();
  await expect(failed).rejects.toThrow('Failed to fetch');
  isAway = false;
  await expect(getPath('/version')).resolves.toBe('answer');
});

it('sends what the arguments are at the call, whatever the caller makes of them while the module is loaded', async () => {
  const create = jest.fn((...given: readonly unknown[]) => Promise.resolve(given));
  jest.unstable_mockModule(path, () => ({ wholeRequests: () => ({ create }) }));
  const requests = wholeRequests(new Requester({ connect: () => Promise.reject(new Error('unused')) }));
  // Which object it is says whether parts of it are missing.
  const cached = Object.freeze({ kind: 'Pod' });
  const object = { metadata: { name: 'a', labels: [{ app: 'a' }], created: new Date(0) }, cached };
  const options = { namespace: 'a', signal: new AbortController().signal };
  const sent = (requests.create as unknown as typeof create)({ plural: 'pods' }, object, options);
  object.metadata.name = 'b';
  object.metadata.labels.push({ app: 'b' });
  options.namespace = 'b';
  const [, written, chosen] = (await sent) as [object, typeof object, typeof options];
  expect(written).toEqual({ metadata: { name: 'a', labels: [{ app: 'a' }], created: new Date(0) }, cached });
  expect([written.cached === cached, chosen.namespace, chosen.signal === options.signal]).toEqual([true, 'a', true]);
});
