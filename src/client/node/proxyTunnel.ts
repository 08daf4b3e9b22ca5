import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import tls from 'node:tls';
import { basic } from '../auth/credentials.js';
import { codedError } from '../requests/requestError.js';

/** The proxy of a tunnel, and its destination. */
interface TunnelInit {
  /** The proxy's URL, with user and password if it needs them. */
  readonly proxy: string;
  /** The server's host and port. */
  readonly authority: string;
  readonly timeoutMs: number;
}

/** Opens a connection to the server through a proxy (CONNECT). */
function openTunnel({ proxy, authority, timeoutMs }: TunnelInit): Promise<Socket> {
  const { protocol, hostname, port, username, password } = new URL(proxy);
  const user = username === '' ? {} : { 'proxy-authorization': basic(decodeURIComponent(username), decodeURIComponent(password)) };
  return new Promise((resolve, reject) => {
    const asked = (protocol === 'https:' ? https : http).request({
      method: 'CONNECT',
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: port === '' ? undefined : port,
      path: authority,
      agent: false,
      headers: { host: authority, ...user },
    });
    const late = setTimeout(() => asked.destroy(codedError('ERR_TIMEOUT', `no tunnel of the proxy within ${timeoutMs} ms`)), timeoutMs);
    asked.on('close', () => clearTimeout(late));
    asked.on('error', reject);
    asked.on('connect', ({ statusCode }, socket) => {
      clearTimeout(late);
      if (statusCode === 200) resolve(socket);
      else {
        socket.destroy();
        reject(codedError('ERR_PROXY', `the proxy answered ${String(statusCode)} when it was asked for a tunnel to ${authority}`));
      }
    });
    // A proxy that does not support CONNECT answers as to any request.
    asked.on('response', (response) => {
      response.destroy();
      reject(codedError('ERR_PROXY', `the proxy answered ${String(response.statusCode)} when it was asked for a tunnel to ${authority}`));
    });
    asked.end();
  });
}

/** An agent that connects to a server through tunnels of a proxy (`http:` or `https:`), with TLS inside if the server's URL is `https:`. */
export function tunnelAgent(server: string, proxy: string, timeoutMs: number, options: https.AgentOptions): http.Agent {
  const { protocol, host, port } = new URL(server);
  const isSecure = protocol === 'https:';
  const authority = port === '' ? `${host}:${isSecure ? 443 : 80}` : host;
  const agent = isSecure ? new https.Agent(options) : new http.Agent(options);
  const createConnection = (wanted: tls.ConnectionOptions, connected: (error: unknown, socket?: Socket) => void): void => {
    openTunnel({ proxy, authority, timeoutMs })
      .then((socket) => (isSecure ? tls.connect({ ...wanted, socket }) : socket))
      .then((socket) => connected(null, socket), connected);
  };
  return Object.assign(agent, { createConnection });
}
