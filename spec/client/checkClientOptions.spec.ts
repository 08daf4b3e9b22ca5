import { describe, expect, it } from '@jest/globals';
import { checkClientOptions } from '../../src/client/checkClientOptions.js';
import type { ClientOptions } from '../../src/client/clientOptions.js';

const server = 'https://example.com';
const pem = '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----';
const kubeConfig = { getCurrentCluster: () => null, applyToHTTPSOptions: () => Promise.resolve() };

describe('checkClientOptions', () => {
  it.each<ClientOptions>([
    {},
    { context: 'c' },
    { kubeConfigFile: '/a', context: 'c' },
    { kubeConfig },
    { server, token: 't', ca: pem, clientCert: pem, clientKey: pem, insecureSkipTlsVerify: false },
    { server: 'http://localhost:8001/base/', token: () => 't', fetch },
    { impersonate: 'alice', userAgent: 'a/1', requestTimeoutMs: 0, compression: true, qps: 0.5, burst: 1 },
    { impersonate: { user: 'alice', uid: '1', groups: ['a'], extra: { k: ['v'] } } },
  ])('accepts %j', (options) => {
    expect(() => checkClientOptions(options)).not.toThrow();
  });

  const secret = 'c2VjcmV0';
  it.each<[unknown, string]>([
    [{ kubeconfig: {} }, 'Expected options of createClient, got `kubeconfig`; did you mean `kubeConfig`?'],
    [{ toString: 1 }, 'Expected options of createClient, got `toString`'],
    [
      { kubeConfig: secret },
      'Expected `kubeConfig` to be a KubeConfig with getCurrentCluster() and applyToHTTPSOptions(), got another text',
    ],
    [{ kubeConfigFile: 5 }, 'Expected `kubeConfigFile` to be the path of a kubeconfig file, got 5'],
    [{ context: '' }, 'Expected `context` to be the name of a context, got ""'],
    [
      { server: 'example.com' },
      'Expected `server` to be an http or https URL without user, query and fragment, such as "https://10.0.0.1:6443", got another text',
    ],
    [
      { server: `https://u:${secret}@example.com` },
      'Expected `server` to be an http or https URL without user, query and fragment, such as "https://10.0.0.1:6443", got another text',
    ],
    [
      { server: 'ftp://example.com' },
      'Expected `server` to be an http or https URL without user, query and fragment, such as "https://10.0.0.1:6443", got another text',
    ],
    [{ server, token: '' }, 'Expected `token` to be a token or a function that gives one, got another text'],
    [{ server, token: { secret } }, 'Expected `token` to be a token or a function that gives one, got object'],
    [{ server, ca: '/etc/ca.pem' }, 'Expected `ca` to be a certificate authority as PEM text (-----BEGIN ...), got another text'],
    [{ server, clientKey: secret }, 'Expected `clientKey` to be a key as PEM text (-----BEGIN ...), got another text'],
    [{ server, insecureSkipTlsVerify: 'yes' }, 'Expected `insecureSkipTlsVerify` to be true or false, got "yes"'],
    [
      { impersonate: { groups: ['a'] } },
      'Expected `impersonate` to be a user name or { user, uid?, groups?, extra? }, in characters that can stand in a header, got {"groups":["a"]}',
    ],
    [
      { impersonate: 'a\nb' },
      'Expected `impersonate` to be a user name or { user, uid?, groups?, extra? }, in characters that can stand in a header, got "a\\nb"',
    ],
    [{ userAgent: 'ü' }, 'Expected `userAgent` to be a text that can stand in a header, got "ü"'],
    [{ requestTimeoutMs: -1 }, 'Expected `requestTimeoutMs` to be a number of milliseconds, 0 or more, got -1'],
    [{ requestTimeoutMs: Infinity }, 'Expected `requestTimeoutMs` to be a number of milliseconds, 0 or more, got Infinity'],
    [{ compression: 1 }, 'Expected `compression` to be true or false, got 1'],
    [{ qps: 0 }, 'Expected `qps` to be a number of requests per second above 0, got 0'],
    [{ qps: 1, burst: 1.5 }, 'Expected `burst` to be a whole number of requests, 1 or more, got 1.5'],
    [{ server, fetch: {} }, 'Expected `fetch` to be a function like the global fetch, got object'],
    [{ server, kubeConfig }, 'Expected one of `server`, `kubeConfig` and `kubeConfigFile`, got `server` and `kubeConfig`'],
    [{ token: 't' }, 'Expected `server` beside `token`; a kubeconfig has its own'],
    [{ fetch }, 'Expected `server` beside `fetch`; a kubeconfig has its own'],
    [{ server, context: 'c' }, 'Expected no `context` beside `server`'],
    [{ kubeConfig, context: 'c' }, 'Expected no `context` beside `kubeConfig`; call its setCurrentContext()'],
    [{ server, clientCert: pem }, 'Expected `clientCert` and `clientKey` together'],
    [{ burst: 5 }, 'Expected `qps` beside `burst`'],
    [{ server, fetch, ca: pem }, 'Expected no `ca` beside `fetch`, which cannot use it'],
  ])('refuses %j', (options, message) => {
    expect(() => checkClientOptions(options as ClientOptions)).toThrow(new TypeError(message));
    expect(message).not.toContain(secret);
  });
});
