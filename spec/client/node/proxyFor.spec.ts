import { describe, expect, it } from '@jest/globals';
import { connectNode } from '../../../src/client/node/connectNode.js';
import { proxyFor as proxyForServer } from '../../../src/client/node/proxyFor.js';
import { serverUrl, type ServerUrl } from '../../../src/client/serverUrl.js';

const proxy = 'http://proxy:3128';
const proxyFor = (server: string, env: Record<string, string>) => proxyForServer(serverUrl(server) as ServerUrl, env);

describe('proxyFor', () => {
  it.each([
    ['https://example.com', { HTTPS_PROXY: proxy }, proxy],
    ['https://example.com', { https_proxy: 'proxy:3128' }, proxy],
    ['https://example.com', { HTTPS_PROXY: proxy, https_proxy: 'http://other' }, proxy],
    ['https://example.com', { HTTP_PROXY: proxy }, undefined],
    ['http://example.com', { HTTP_PROXY: proxy }, proxy],
    ['https://example.com', { HTTPS_PROXY: proxy, REQUEST_METHOD: 'GET' }, proxy],
    ['https://example.com', { HTTPS_PROXY: 'socks5h://proxy' }, 'socks5h://proxy'],
    ['https://example.com', { ALL_PROXY: proxy }, undefined],
    ['https://example.com', {}, undefined],
  ])('for %s in %j is %s', (server, env, expected) => {
    expect(proxyFor(server, env)).toBe(expected);
  });

  it.each([
    ['https://localhost:6443', '', false],
    ['https://127.0.0.1:6443', '', false],
    ['https://[::1]:6443', '', false],
    ['https://example.com', '*', false],
    ['https://example.com', 'a.com, example.com', false],
    ['https://EXAMPLE.com', 'Example.COM', false],
    ['https://api.example.com', 'example.com', false],
    ['https://api.example.com', '.example.com', false],
    ['https://api.example.com', '*.example.com', false],
    ['https://example.com', '.example.com', true],
    ['https://badexample.com', 'example.com', true],
    ['https://example.com:6443', 'example.com:6443', false],
    ['https://example.com', 'example.com:443', false],
    ['https://example.com', 'example.com:6443', true],
    ['https://10.0.0.1', '10.0.0.1', false],
    ['https://10.0.0.1', '10.0.0.0/8', false],
    ['https://11.0.0.1', '10.0.0.0/8', true],
    ['https://example.com', '10.0.0.0/8', true],
    ['https://[fd00::1]', 'fd00::/8', false],
    ['https://[fd00::1]:6443', '[fd00::1]:6443', false],
    ['https://[fd00::1]', 'fd00:0::1', false],
    ['https://[fd00::1]', 'FD00::1', false],
    ['https://[fd00::1]', '[fd00::1]', true],
    ['https://[fd00::1]:6443', '[fd00::1]:443', true],
    ['https://[::ffff:10.0.0.1]', '10.0.0.0/8', false],
    ['https://[::ffff:127.0.0.1]', '', false],
    ['https://10.0.0.1', '10.0.0.', true],
    ['https://10.0.0.1', 'nonsense/8', true],
    ['https://10.0.0.1', '::ffff:10.0.0.0/104', false],
    ['https://10.0.0.1', '::ffff:10.0.0.0/95', true],
    ['https://10.0.0.1', '::ffff:0:0/0', true],
    ['https://[fd00::1]', '::ffff:0:0/0', false],
    ['https://[::fffe:0:1]', '::ffff:0:0/95', false],
    ['https://LOCALHOST', '', true],
    ['https://localhost.', '', true],
    ['https://x.localhost', '', true],
    ['https://b.com', 'a.com b.com', true],
    ['https://example.com', ':443', true],
  ])('goes through it for %s with NO_PROXY=%s: %s', (server, NO_PROXY, through) => {
    expect(proxyFor(server, { HTTPS_PROXY: proxy, NO_PROXY }) === proxy).toBe(through);
  });

  it.each([
    ['a server', (server: string) => ({ server })],
    [
      'a KubeConfig',
      (server: string) => ({ kubeConfig: { getCurrentCluster: () => ({ server }), applyToHTTPSOptions: () => Promise.resolve() } }),
    ],
  ])('counts for a client of %s', async (_, optionsOf) => {
    const where = { env: { HTTPS_PROXY: proxy, NO_PROXY: 'other.com' }, home: '', serviceAccount: '' };
    const proxyOf = async (server: string) => {
      const { transport } = await connectNode(optionsOf(server), where);
      const held = await transport.credentials.get();
      transport.close();
      return held.proxy;
    };
    expect([await proxyOf('https://example.com'), await proxyOf('https://other.com')]).toEqual([{ url: proxy }, undefined]);
  });

  it('refuses a proxy of another protocol', () => {
    expect(() => proxyFor('https://example.com', { https_proxy: 'ftp://proxy' })).toThrow(
      'Expected `https_proxy` of the environment to be an http, https or socks5 URL, got "ftp://proxy"',
    );
  });

  it.each(['http://us:pass/word@proxy:1', 'http://us:pass word@proxy', 'ftp://us:password@proxy', 'http://us:passwordproxy:1'])(
    'shows no password of a URL that it refuses: %s',
    (url) => {
      expect(() => proxyFor('https://example.com', { https_proxy: url })).toThrow(/^(?!.*word).* socks5 URL, got /);
    },
  );

  it('refuses HTTP_PROXY in a CGI program, where the request sets it', () => {
    expect(() => proxyFor('http://example.com', { HTTP_PROXY: proxy, REQUEST_METHOD: 'GET' })).toThrow(
      'Expected no `HTTP_PROXY` beside `REQUEST_METHOD` in the environment',
    );
  });
});
