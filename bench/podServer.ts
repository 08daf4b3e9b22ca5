// A server of its own process that sends pods as fast as a socket takes them: everything is serialized before it is asked for.
//
//   node podServer.js         prints its port
//
//   POST /prepare/<pods>/<events>/<pattern>        makes the bodies; answers when they are there
//   GET  /<mode>/<pods>/api/v1/pods                a list; mode `paged` knows `limit`, `whole` and `streamed` ignore it
//   GET  ...?watch=true                            a watch; mode `streamed` knows `sendInitialEvents`, the others refuse it
//   POST /send                                     sends the prepared events to the watch opened last
import net from 'node:net';
import { podJson, podNames, type PodName } from './realisticPod.js';

const itemsPerPage = 500;
const firstVersion = 1_000_000;
/** As much as goes into one write. */
const writeBytes = 1 << 20;

/** The bodies of so many pods. */
interface Bodies {
  readonly names: readonly PodName[];
  /** The items of each page, without what stands around them. */
  readonly pages: readonly Buffer[];
  /** The initial events of a streamed list, as chunks of HTTP. */
  readonly initial: readonly Buffer[];
}

const prepared = new Map<number, Bodies>();
let events: readonly Buffer[] = [];
let watcher: net.Socket | undefined;

function chunkOf(line: string): Buffer {
  const bytes = Buffer.from(`${line}\n`);
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

/** Few large buffers in place of many small ones. */
function together(parts: Iterable<Buffer>): Buffer[] {
  const whole: Buffer[] = [];
  let pending: Buffer[] = [];
  let size = 0;
  for (const part of parts) {
    pending.push(part);
    size += part.length;
    if (size < writeBytes) continue;
    whole.push(Buffer.concat(pending));
    pending = [];
    size = 0;
  }
  return pending.length === 0 ? whole : [...whole, Buffer.concat(pending)];
}

function bodiesOf(count: number): Bodies {
  const known = prepared.get(count);
  if (known !== undefined) return known;
  const names = podNames(count);
  const pages = Array.from({ length: Math.ceil(count / itemsPerPage) }, (_, page) =>
    Buffer.from(
      names
        .slice(page * itemsPerPage, (page + 1) * itemsPerPage)
        .map((name) => podJson(name, 0, firstVersion - count + name.at, false))
        .join(','),
    ),
  );
  function* lines(): Iterable<Buffer> {
    for (const name of names)
      yield chunkOf(`{"type":"ADDED","object":${podJson(name, 0, firstVersion - count + name.at, true)}}`);
    yield chunkOf(
      `{"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"${firstVersion}","creationTimestamp":null,"annotations":{"k8s.io/initial-events-end":"true"}},"spec":{"containers":null},"status":{}}}`,
    );
  }
  const bodies = { names, pages, initial: together(lines()) };
  prepared.set(count, bodies);
  return bodies;
}

/** Which pod an event is about: `uniform` has each in its turn, in no order; `rollout` goes through them with six events each. */
const patterns: Readonly<Record<string, (event: number, count: number) => number>> = {
  uniform: (event, count) => (event * 7919) % count,
  rollout: (event, count) => (Math.floor(event / 30) * 5 + (event % 5)) % count,
};

function prepareEvents(count: number, number: number, pattern: string): void {
  const { names } = bodiesOf(count);
  const versions = new Map<number, number>();
  const pick = patterns[pattern];
  if (pick === undefined) throw new Error(`Expected a pattern of ${Object.keys(patterns).join(', ')}, got ${pattern}`);
  function* lines(): Iterable<Buffer> {
    for (let event = 0; event < number; event += 1) {
      const at = pick(event, count);
      const version = (versions.get(at) ?? 0) + 1;
      versions.set(at, version);
      const name = names[at] as PodName;
      yield chunkOf(`{"type":"MODIFIED","object":${podJson(name, version, firstVersion + event + 1, true)}}`);
    }
  }
  events = together(lines());
}

function answer(socket: net.Socket, status: string, body: readonly (Buffer | string)[]): void {
  const length = body.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  socket.write(`HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`);
  for (const part of body) socket.write(part);
}

function list(socket: net.Socket, { pages }: Bodies, query: URLSearchParams, paged: boolean): void {
  const head = (token: string): string =>
    `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"${firstVersion}"${token === '' ? '' : `,"continue":"${token}"`}},"items":[`;
  if (!paged || !query.has('limit')) {
    answer(socket, '200 OK', [head(''), ...pages.flatMap((page, at) => (at === 0 ? [page] : [',', page])), ']}\n']);
    return;
  }
  const page = Number(query.get('continue') ?? 0);
  const next = page + 1 < pages.length ? String(page + 1) : '';
  answer(socket, '200 OK', [head(next), pages[page] ?? '', ']}\n']);
}

function watch(socket: net.Socket, bodies: Bodies, query: URLSearchParams, streamed: boolean): void {
  const initial = query.has('sendInitialEvents');
  if (initial && !streamed) {
    const message = 'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled';
    answer(socket, '422 Unprocessable Entity', [
      JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason: 'Invalid', code: 422 }),
    ]);
    return;
  }
  socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n');
  if (initial) for (const part of bodies.initial) socket.write(part);
  watcher = socket;
}

function handle(socket: net.Socket, target: string): void {
  const url = new URL(target, 'http://localhost');
  const [mode = '', count = '', number = '', pattern = ''] = url.pathname.slice(1).split('/');
  if (mode === 'prepare') {
    bodiesOf(Number(count));
    if (number !== '') prepareEvents(Number(count), Number(number), pattern);
    answer(socket, '200 OK', ['{}']);
  } else if (mode === 'send') {
    for (const part of events) watcher?.write(part);
    answer(socket, '200 OK', ['{}']);
  } else if (url.searchParams.has('watch')) {
    watch(socket, bodiesOf(Number(count)), url.searchParams, mode === 'streamed');
  } else {
    list(socket, bodiesOf(Number(count)), url.searchParams, mode === 'paged');
  }
}

net
  .createServer({ noDelay: true }, (socket) => {
    let received = '';
    socket.on('error', () => socket.destroy());
    socket.on('data', (data) => {
      received += data.toString('latin1');
      for (let end = received.indexOf('\r\n\r\n'); end !== -1; end = received.indexOf('\r\n\r\n')) {
        const [, target = '/'] = received.slice(0, received.indexOf('\r\n')).split(' ');
        received = received.slice(end + 4);
        handle(socket, target);
      }
    });
  })
  .listen(0, '127.0.0.1', function (this: net.Server) {
    console.log((this.address() as net.AddressInfo).port);
  });
