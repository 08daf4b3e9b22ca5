import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Server, type Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { TLSSocket } from 'node:tls';
import { alternativeNames, type Certificate, isAuthority, issue } from '../node/certificates.js';
import type { ConnectCase } from './connectCase.js';

/** What the servers, proxies and plugins of one case saw. */
export interface Seen {
  readonly requests: string[];
  readonly proxies: string[];
  readonly plugin: string[];
}

/** A case whose files are written, and places filled in. */
export interface Prepared {
  readonly dir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
}

function certificatesOf(): Readonly<Record<string, Certificate>> {
  const root = issue('root', isAuthority);
  const intermediate = issue('intermediate', isAuthority, { name: 'root', key: root.keyObject });
  const by = { name: 'intermediate', key: intermediate.keyObject };
  const here = alternativeNames(['localhost'], [[127, 0, 0, 1]]);
  return {
    root,
    intermediate,
    wrong: issue('wrong', isAuthority),
    oldRoot: issue('root', isAuthority, { name: 'root', key: root.keyObject }, -2),
    leaf: issue('leaf', here, by),
    expiredLeaf: issue('leaf', here, by, -2),
    commonLeaf: issue('localhost', alternativeNames([], [[127, 0, 0, 9]]), by),
    namedLeaf: issue('leaf', alternativeNames(['api.test', '*.wild.test', '*.one']), by),
    alice: issue('alice', alternativeNames(['alice']), by),
    bob: issue('bob', alternativeNames(['bob']), by),
  };
}

/** The headers that say who the user is. */
function identityOf(request: http.IncomingMessage): string {
  const { rawHeaders } = request;
  const pairs = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name.toLowerCase()}: ${rawHeaders[at + 1] ?? ''}`] : []));
  return pairs
    .filter((pair) => /^(authorization|impersonate-)/.test(pair))
    .map((pair) => Buffer.from(pair, 'latin1').toString())
    .sort()
    .join(' | ');
}

/** Servers, proxies and certificates on this machine, for all cases. */
export class World {
  seen: Seen = { requests: [], proxies: [], plugin: [] };
  private readonly certificates = certificatesOf();
  private readonly servers: Server[] = [];
  private readonly sockets = new Set<Socket>();
  private readonly ports = new Map<string, number>();

  static async start(): Promise<World> {
    const world = new World();
    await world.listen();
    return world;
  }

  /** Writes the files of a case into a folder of its own. */
  prepare({ files, env = {}, kubeconfig, context }: ConnectCase): Prepared {
    this.seen = { requests: [], proxies: [], plugin: [] };
    const dir = mkdtempSync(path.join(os.tmpdir(), 'rx-informer-connect-'));
    for (const [name, content] of Object.entries(files)) {
      const file = path.join(dir, name);
      mkdirSync(name.endsWith('/') ? file : path.dirname(file), { recursive: true });
      if (name.endsWith('/')) continue;
      writeFileSync(file, typeof content === 'string' ? encoded(this.filled(content, dir)) : content);
      if (typeof content === 'string' && content.startsWith('#!')) chmodSync(file, 0o755);
    }
    const texts = Object.entries({ KUBECONFIG: '{dir}/config', ...env }).map(([name, value]) => [name, this.filled(value, dir)]);
    return {
      dir,
      env: Object.fromEntries(texts) as Record<string, string>,
      kubeconfig: kubeconfig === undefined ? undefined : this.filled(kubeconfig, dir),
      context,
    };
  }

  /** What was seen since the case was prepared, in words that are the same in each run. */
  result({ dir }: Prepared): Seen {
    const runs = ['runs', 'plugin.runs'].flatMap((name) => {
      try {
        return readFileSync(path.join(dir, name), 'utf8').trim().split('\n');
      } catch {
        return [];
      }
    });
    const { requests, proxies } = this.seen;
    return {
      requests: requests.map((line) => this.named(line, dir)),
      proxies: proxies.map((line) => this.named(line, dir)),
      plugin: runs.map((line) => this.named(line.startsWith('info=') ? `info=${sorted(line.slice(5))}` : line, dir)),
    };
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await Promise.all(this.servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }

  private filled(text: string, dir: string): string {
    return text.replace(/\{(\w+)(?:(\+\w+)?:([\w+]+))?\}/g, (place, kind: string, plus: string | undefined, names: string | undefined) => {
      if (kind === 'dir') return dir;
      if (names === undefined) return this.ports.has(kind) ? String(this.ports.get(kind)) : place;
      const all = names.split('+').map((name) => this.certificates[name] ?? { cert: '', key: '' });
      return formOf(kind, all, plus) ?? place;
    });
  }

  private named(line: string, dir: string): string {
    let text = line.replaceAll(dir, '{dir}');
    for (const [name, port] of this.ports) text = text.replaceAll(`:${port}`, `:{${name}}`);
    return text.replaceAll(Buffer.from(this.certificates['root']?.cert ?? '').toString('base64'), '{b64:root}');
  }

  private async open(name: string, server: Server): Promise<void> {
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket)).on('error', () => undefined);
    });
    this.servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.ports.set(name, (server.address() as AddressInfo).port);
  }

  private async listen(): Promise<void> {
    await this.open('plain', http.createServer(this.answer('plain')));
    const pem = (name: string): Certificate => this.certificates[name] ?? { cert: '', key: '' };
    const chain = (name: string): string => pem(name).cert + pem('intermediate').cert;
    const secured = (name: string, cert: string, leaf: string): Promise<void> =>
      this.open(
        name,
        https.createServer(
          { cert, key: pem(leaf).key, ca: pem('root').cert, requestCert: true, rejectUnauthorized: false },
          this.answer(name),
        ),
      );
    await secured('secure', chain('leaf'), 'leaf');
    await secured('leafAlone', pem('leaf').cert, 'leaf');
    await secured('expired', chain('expiredLeaf'), 'expiredLeaf');
    await secured('commonName', chain('commonLeaf'), 'commonLeaf');
    await secured('named', chain('namedLeaf'), 'namedLeaf');
    await this.open('proxy', this.proxyOf('proxy', http.createServer()));
    await this.open('tlsProxy', this.proxyOf('tlsProxy', https.createServer({ cert: chain('leaf'), key: pem('leaf').key })));
    await this.open('socks', this.socks());
    await this.open('refusing', this.refusing());
  }

  private answer(name: string): http.RequestListener {
    return (request, response) => {
      const tls = request.socket as Partial<TLSSocket>;
      const { subject } = tls.getPeerCertificate?.() ?? {};
      const sni = typeof tls.servername === 'string' ? ` sni=${tls.servername.toLowerCase()}` : '';
      const client = subject?.CN === undefined ? '' : ` certificate=${String(subject.CN)}`;
      const target = (request.url ?? '').replace(/\?timeout=\w+$/, '');
      this.seen.requests.push(`${name} ${request.method ?? ''} ${target}${sni}${client} ${identityOf(request)}`.trim());
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ major: '1', minor: '30', gitVersion: 'v1.30.0' }));
    };
  }

  /** The connection of a proxy to a server of this machine, whatever its name. */
  private lead(near: Socket, port: number, opened: () => void): void {
    const far = net.connect(port, '127.0.0.1', () => {
      opened();
      near.pipe(far).pipe(near);
    });
    this.sockets.add(far);
    far.on('error', () => near.destroy()).on('close', () => near.destroy());
    near.on('close', () => far.destroy());
  }

  private proxyOf(name: string, server: http.Server): Server {
    const note = (what: string, { headers }: http.IncomingMessage): void => {
      const { 'proxy-authorization': user } = headers;
      this.seen.proxies.push(`${name} ${what}${user === undefined ? '' : ` as ${user}`}`);
    };
    return server
      .on('connect', (request: http.IncomingMessage, socket: Socket) => {
        note(`CONNECT ${request.url ?? ''} host=${request.headers.host ?? ''}`, request);
        this.lead(socket, Number(request.url?.split(':').at(-1)), () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
      })
      .on('request', (request: http.IncomingMessage, response: http.ServerResponse) => {
        note(`${request.method ?? ''} ${(request.url ?? '').replace(/\?timeout=\w+$/, '')}`, request);
        this.answer('behind')(request, response);
      });
  }

  private refusing(): Server {
    return http
      .createServer((request, response) => response.writeHead(407).end())
      .on('connect', (request: http.IncomingMessage, socket: Socket) => {
        this.seen.proxies.push(`refusing CONNECT ${request.url ?? ''}`);
        socket.end('HTTP/1.1 407 No\r\n\r\n');
      });
  }

  private socks(): Server {
    return net.createServer((socket) => {
      const ask = (then: (bytes: Buffer) => void): unknown => socket.once('data', then);
      const ready = (): unknown =>
        ask((bytes) => {
          const address = bytes[3] === 3 ? `name ${String(bytes.subarray(5, -2))}` : `address ${[...bytes.subarray(4, -2)].join('.')}`;
          const port = bytes.readUInt16BE(bytes.length - 2);
          this.seen.proxies.push(`socks ${address}:${port}`);
          this.lead(socket, port, () => socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])));
        });
      ask((methods) => {
        this.seen.proxies.push(`socks methods ${[...methods.subarray(2)].join(',')}`);
        const wantsUser = methods.includes(2, 2);
        socket.write(Buffer.from([5, wantsUser ? 2 : 0]));
        if (!wantsUser) return ready();
        return ask((user) => {
          const length = user[1] ?? 0;
          this.seen.proxies.push(`socks user ${String(user.subarray(2, 2 + length))} ${String(user.subarray(3 + length))}`);
          socket.write(Buffer.from([1, 0]));
          ready();
        });
      });
    });
  }
}

const lineEnd = /\n/g;
const middle = /(?<=-----BEGIN CERTIFICATE-----\n)[^-]+/g;

/** What the first word of a file's text does with the rest. */
const encodings: Readonly<Record<string, (text: string) => string | Buffer>> = {
  utf16le: (text) => Buffer.from(text, 'utf16le'),
  utf16be: (text) => Buffer.from(text, 'utf16le').swap16(),
  latin1: (text) => Buffer.from(text, 'latin1'),
  base64: (text) => Buffer.from(text, 'base64'),
  crlf: (text) => text.replace(lineEnd, '\r\n'),
  cr: (text) => text.replace(lineEnd, '\r'),
  joined: (text) => text.replaceAll('-----\n-----', '----------'),
  flat: (text) => text.replace(middle, (base64) => `${base64.replace(lineEnd, '')}\n`),
  thin: (text) => text.replace(middle, (base64) => base64.replace(/\n?(.)/g, '$1\n')),
  spaced: (text) => text.replace(lineEnd, ' \t\n'),
  airy: (text) => text.replace(middle, (base64) => base64.replace(lineEnd, '\n\n')),
  endless: (text) => text.replace(/-----END.*\n/, ''),
  cut: (text) => text.trimEnd(),
  trusted: (text) => text.replaceAll(' CERTIFICATE', ' TRUSTED CERTIFICATE'),
  x509: (text) => text.replaceAll(' CERTIFICATE', ' X509 CERTIFICATE'),
  headed: (text) => text.replace(middle, (base64) => `Name: value\n\n${base64}`),
  longer: (text) =>
    text.replace(middle, (base64) => `${Buffer.concat([Buffer.from(base64, 'base64'), Buffer.from('more')]).toString('base64')}\n`),
};

function encoded(text: string): string | Buffer {
  const [, name = '', rest = ''] = /^(\w+):(.*)$/s.exec(text) ?? [];
  return encodings[name]?.(rest) ?? text;
}

/** A certificate, or several, in the form that a text asks for. */
function formOf(kind: string, all: readonly Certificate[], plus: string | undefined): string | undefined {
  const pem = all.map(({ cert }) => cert).join('');
  const key = all.map((each) => each.key).join('');
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  switch (kind) {
    case 'pem':
      return pem;
    case 'key':
      return key;
    case 'b64':
      return base64(pem);
    case 'b64lines':
      return base64(pem).replace(/.{60}/g, '$&\\n');
    case 'der64':
      return pem.replace(/-----.*\n|\n/g, '');
    case 'key64':
      return base64(key);
    case 'line':
      return JSON.stringify(pem).slice(1, -1);
    case 'keyline':
      return JSON.stringify(key).slice(1, -1);
    case 'pair':
      return JSON.stringify({
        kind: 'ExecCredential',
        apiVersion: 'client.authentication.k8s.io/v1',
        status: {
          clientCertificateData: pem,
          clientKeyData: key,
          ...(plus === '+token' && { token: 'plugged' }),
          ...(plus === '+past' && { expirationTimestamp: '2001-01-01T00:00:00Z' }),
        },
      });
    default:
      return undefined;
  }
}

/** JSON with its keys in order, since their order means nothing. */
function sorted(text: string): string {
  const inOrder = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inOrder);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, each]) => [name, inOrder(each)]),
    );
  };
  try {
    return JSON.stringify(inOrder(JSON.parse(text)));
  } catch {
    return text;
  }
}

/** Removes what a case wrote. */
export function remove({ dir }: Prepared): void {
  rmSync(dir, { recursive: true, force: true });
}
