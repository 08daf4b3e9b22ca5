import { describe, expect, it, jest } from '@jest/globals';

// The package is optional: here loading it fails as if it were not installed.
jest.unstable_mockModule('socks', () => {
  throw new Error('Cannot find package');
});
const { openTunnel } = await import('../../../src/client/node/proxyTunnel.js');

describe('a SOCKS proxy without the package socks', () => {
  it('is refused with what to install', async () => {
    await expect(
      openTunnel('socks5://localhost:1', 'https://example.com', { timeoutMs: 1_000, signal: new AbortController().signal }, {}),
    ).rejects.toMatchObject({
      code: 'ERR_KUBECONFIG',
      message: 'A SOCKS proxy needs the package socks (^2), which is not installed: npm install socks',
    });
  });
});
