import { describe, expect, it } from '@jest/globals';
import { checkClientOptions } from '../../src/client/createClient.js';
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
    [{ kubeconfig: {} }, 'Unknown option `kubeconfig` of `createClient`; did you mean `kubeConfig`?'],
    [
      'https://u:c2VjcmV0@example.com',
      "Expected the options of `createClient` to be an object such as { server: 'https://10.0.0.1:6443' }, got a string",
    ],
    [
      { kubeConfig: secret },
      'Expected `kubeConfig` of `createClient` to be an object with the methods getCurrentCluster and applyToHTTPSOptions, got something else',
    ],
    [{ kubeConfigFile: 5 }, 'Expected `kubeConfigFile` of `createClient` to be the path of a kubeconfig file, got 5'],
    [{ context: '' }, 'Expected `context` of `createClient` to be the name of a context, got ""'],
    [
      { server: 'example.com' },
      'Expected `server` of `createClient` to be an http or https URL without user, query and fragment, such as "https://10.0.0.1:6443", got something else',
    ],
    [
      { server: `https://u:${secret}@example.com` },
      'Expected `server` of `createClient` to be an http or https URL without user, query and fragment, such as "https://10.0.0.1:6443", got something else',
    ],
    [
      { server: 'ftp://example.com' },
      'Expected `server` of `createClient` to be an http or https URL without user, query and fragment, such as "https://10.0.0.1:6443", got something else',
    ],
    [{ server, token: '' }, 'Expected `token` of `createClient` to be a token or a function that gives one, got something else'],
    [{ server, token: { secret } }, 'Expected `token` of `createClient` to be a token or a function that gives one, got something else'],
    [
      { server, ca: '/etc/ca.pem' },
      'Expected `ca` of `createClient` to be a certificate authority as PEM text (-----BEGIN ...), got something else',
    ],
    [{ server, clientKey: secret }, 'Expected `clientKey` of `createClient` to be a key as PEM text (-----BEGIN ...), got something else'],
    [{ server, insecureSkipTlsVerify: 'yes' }, 'Expected `insecureSkipTlsVerify` of `createClient` to be a boolean, got "yes"'],
    [
      { impersonate: { groups: ['a'] } },
      'Expected `impersonate` of `createClient` to be a user name or { user, uid?, groups?, extra? }, in one line each, got an object',
    ],
    [
      { impersonate: { user: 'alice', group: ['a'] } },
      'Expected `impersonate` of `createClient` to be a user name or { user, uid?, groups?, extra? }, in one line each, got an object',
    ],
    [
      { impersonate: 'a\nb' },
      'Expected `impersonate` of `createClient` to be a user name or { user, uid?, groups?, extra? }, in one line each, got "a\\nb"',
    ],
    [{ userAgent: 'ü' }, 'Expected `userAgent` of `createClient` to be a text that can stand in a header, got "ü"'],
    [{ requestTimeoutMs: -1 }, 'Expected `requestTimeoutMs` of `createClient` to be a finite number of milliseconds >= 0, got -1'],
    [
      { requestTimeoutMs: Infinity },
      'Expected `requestTimeoutMs` of `createClient` to be a finite number of milliseconds >= 0, got Infinity',
    ],
    [{ compression: 1 }, 'Expected `compression` of `createClient` to be a boolean, got 1'],
    [{ qps: 0 }, 'Expected `qps` of `createClient` to be a finite number > 0, got 0'],
    [{ qps: 1, burst: 1.5 }, 'Expected `burst` of `createClient` to be an integer >= 1, got 1.5'],
    [{ server, fetch: {} }, 'Expected `fetch` of `createClient` to be a function, got an object'],
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
