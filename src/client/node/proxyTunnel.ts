import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { unescape } from 'node:querystring';
import type tls from 'node:tls';
import type * as Socks from 'socks';
import { onAbort } from '../../api/onAbort.js';
import { codedError, kubeconfigError } from '../requests/requestError.js';
import { proxyAuthority } from './proxyFor.js';
import { sentName } from './trust.js';

/** A server or proxy. */
interface Address {
  readonly host: string;
  readonly port: number;
}

/** What ends the opening of a tunnel; one through SOCKS by the time alone. */
export interface TunnelLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The header by which a proxy knows its user. */
export function proxyAuthorization(proxy: string): Readonly<Record<string, string>> {
  const { authorization } = proxyAuthority(proxy) ?? {};
  return authorization === undefined ? {} : { 'proxy-authorization': authorization };
}

/** Where the server or proxy of a URL is. */
export function addressIn(url: string): Address {
  const { protocol, hostname, port } = new URL(url);
  const usual = protocol === 'https:' ? 443 : protocol === 'http:' ? 80 : 1080;
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? usual : Number(port) };
}

/** The failure of a connection to a proxy: one that does not speak TLS is named. */
export function proxyFailure(error: Error): Error {
  return 'code' in error && error.code === 'EPROTO' ? codedError('ERR_PROXY', `the proxy does not speak TLS: ${error.message}`) : error;
}

/** Opens a connection through a proxy of HTTP (CONNECT). Like Go, trusts one of HTTPS by the cluster's own TLS options. */
function httpTunnel(proxy: string, target: Address, limits: TunnelLimits, secured: tls.ConnectionOptions): Promise<Socket> {
  const { timeoutMs, signal } = limits;
  const authority = `${target.host.includes(':') ? `[${target.host}]` : target.host}:${target.port}`;
  const { host, port } = addressIn(proxy);
  return new Promise((resolve, reject) => {
    const asked = (proxy.toLowerCase().startsWith('https:') ? https : http).request({
      // Node would take the name from the header `host`.
      servername: sentName(host),
      ...secured,
      host,
      port,
      method: 'CONNECT',
      path: authority,
      agent: false,
      headers: { host: authority, ...proxyAuthorization(proxy) },
    });
    const late = setTimeout(() => asked.destroy(codedError('ERR_TIMEOUT', `no tunnel of the proxy within ${timeoutMs} ms`)), timeoutMs);
    const refuse = (statusCode: number | undefined): void =>
      reject(codedError('ERR_PROXY', `the proxy answered ${String(statusCode)} when it was asked for a tunnel to ${authority}`));
    const forget = onAbort(signal, () => asked.destroy());
    const settled = (): void => {
      clearTimeout(late);
      forget();
    };
    asked.on('close', settled);
    asked.on('error', (error) => reject(proxyFailure(error)));
    asked.on('connect', ({ statusCode }, socket) => {
      settled();
      if (statusCode === 200) {
        resolve(socket);
        return;
      }
      socket.destroy();
      refuse(statusCode);
    });
    // A proxy that does not support CONNECT answers as to any request.
    asked.on('response', (response) => {
      response.destroy();
      refuse(response.statusCode);
    });
    asked.end();
  });
}

/** The package `socks`, an optional dependency: loaded when a SOCKS proxy is named. */
async function loadSocks(): Promise<typeof Socks> {
  try {
    return await import('socks');
  } catch {
    throw kubeconfigError('A SOCKS proxy needs the package socks (^2), which is not installed: npm install socks');
  }
}

/** Opens a connection through a SOCKS proxy, which resolves the server's name. */
async function socksTunnel(proxy: string, destination: Address, timeoutMs: number): Promise<Socket> {
  const { SocksClient } = await loadSocks();
  const { username, password } = new URL(proxy);
  const isAsked = proxyAuthority(proxy)?.authorization !== undefined;
  const user = isAsked ? { userId: unescape(username), password: unescape(password) } : {};
  const sizes = [...Object.values(user), destination.host].map((text) => Buffer.byteLength(text));
  if (user.userId === '' || Math.max(...sizes) > 255)
    throw codedError('ERR_PROXY', 'the SOCKS proxy needs a user name, and takes name, password and host of at most 255 bytes');
  try {
    const { socket } = await SocksClient.createConnection({
      proxy: { ...addressIn(proxy), type: 5, ...user },
      command: 'connect',
      destination,
      timeout: timeoutMs,
    });
    return socket;
  } catch (error) {
    // Its errors carry the options, with the password.
    const message = error instanceof Error ? error.message : String(error);
    const [, code = 'ERR_PROXY'] = /^connect (E[A-Z]+) /.exec(message) ?? [];
    throw codedError(code, `the SOCKS proxy opened no connection: ${message}`);
  }
}

/** Opens a connection to a server through a proxy. */
export function openTunnel(proxy: string, server: string, limits: TunnelLimits, secured: tls.ConnectionOptions): Promise<Socket> {
  const target = addressIn(server);
  return /^socks/i.test(proxy) ? socksTunnel(proxy, target, limits.timeoutMs) : httpTunnel(proxy, target, limits, secured);
}
