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
