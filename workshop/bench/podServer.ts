// A server in a separate process that sends pods and other kinds of traffic as fast as a socket takes them: everything is serialized before it is requested.
//
//   node podServer.js         prints its port
//
//   POST /prepare/<mode>/<pods>                  serializes the bodies; answers when they are complete
//   GET  /<mode>/<pods>/api/v1/pods              a list; mode `paged` supports `limit`, the others ignore it; `generated` is generated while it is sent
//   GET  ...?watch=true                          a watch; mode `streamed` supports `sendInitialEvents`, the others refuse it
//   POST /prepareEvents/<pods>/<events>/<pattern>
//   POST /send/<pods>/<events>/<pattern>         sends these events to the open watch, or to the next one
//
//   POST /prepare/traffic/<kind>                 the same for one kind of traffic (workshop/bench/traffic)
//   GET  /traffic/<kind>/...                     its list, in pages on request, and its watch
//   POST /send/traffic/<kind>
//
//   POST /forget                                 drops all serialized data
import net from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { generatedItems } from './generatedItems.js';
import { podJson, podName, podNames, type PodName } from './realisticPod.js';
import { trafficOf } from './traffic/kinds.js';
import { serialized, type SerializedTraffic } from './traffic/serialized.js';
import { listVersion } from './traffic/traffic.js';

const itemsPerPage = 500;
const firstVersion = listVersion;
/** The number of bytes per write. */
const writeBytes = 1 << 20;

const names = new Map<number, readonly PodName[]>();
/** The items of each page without the surrounding JSON, by the number of pods. */
const pages = new Map<number, readonly Buffer[]>();
/** The initial events of a streamed list as HTTP chunks, by the number of pods. */
const initial = new Map<number, readonly Buffer[]>();
const events = new Map<string, readonly Buffer[]>();
/** Lists and watches by their kind of traffic. */
const traffic = new Map<string, SerializedTraffic>();
let watcher: net.Socket | undefined;
let waiting: readonly Buffer[] = [];

function remembered<K, V>(memory: Map<K, V>, key: K, make: () => V): V {
  const known = memory.get(key);
  if (known !== undefined) return known;
  const made = make();
  memory.set(key, made);
  return made;
}

const namesOf = (count: number): readonly PodName[] => remembered(names, count, () => podNames(count));

function chunkOf(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

const lineOf = (line: string): Buffer => chunkOf(Buffer.from(`${line}\n`));

function trafficNamed(name: string): SerializedTraffic {
  return remembered(traffic, name, () => {
    const bytes = serialized(trafficOf(name));
    return { ...bytes, lines: together(bytes.lines.map(chunkOf)) };
  });
}

/** Joins many small buffers into a few large ones. */
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

const versionOf = (count: number, { at }: PodName): number => firstVersion - count + at;

function pagesOf(count: number): readonly Buffer[] {
  return remembered(pages, count, () =>
    Array.from({ length: Math.ceil(count / itemsPerPage) }, (_, page) => {
      const items = namesOf(count).slice(page * itemsPerPage, (page + 1) * itemsPerPage);
      return Buffer.from(items.map((name) => podJson(name, 0, versionOf(count, name), false)).join(','));
    }),
  );
}

const initialEventsEnd = {
  type: 'BOOKMARK',
  object: {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: {
      resourceVersion: String(firstVersion),
      creationTimestamp: null,
      annotations: { 'k8s.io/initial-events-end': 'true' },
    },
    spec: { containers: null },
    status: {},
  },
};

function initialOf(count: number): readonly Buffer[] {
  function* lines(): Iterable<Buffer> {
    for (const name of namesOf(count)) yield lineOf(`{"type":"ADDED","object":${podJson(name, 0, versionOf(count, name), true)}}`);
    yield lineOf(JSON.stringify(initialEventsEnd));
  }
  return remembered(initial, count, () => together(lines()));
}

/** The number of pods that change: those of owners at equal distances. The other pods do not change. */
const busyPods = 10_000;
const siblings = 7;

/**
 * The number of the pod of an event: `uniform` takes each pod once, in scattered order; `rollout` goes through the pods in order, with six
 * events each; `busy` takes each of 10,000 pods, regardless of the number of pods.
 */
const patterns: Readonly<Record<string, (event: number, count: number) => number>> = {
  uniform: (event, count) => (event * 7919) % count,
  busy: (event, count) => {
    const pod = (event * 7919) % Math.min(busyPods, count);
    const owner = Math.floor(pod / siblings) * Math.max(1, Math.floor(count / busyPods));
    return (owner * siblings + (pod % siblings)) % count;
  },
  rollout: (event, count) => (Math.floor(event / 30) * 5 + (event % 5)) % count,
};

function eventsOf(count: number, number: number, pattern: string): readonly Buffer[] {
  const pick = patterns[pattern];
  if (pick === undefined) throw new Error(`Expected a pattern of ${Object.keys(patterns).join(', ')}, got ${pattern}`);
  const versions = new Map<number, number>();
  function* lines(next: (event: number, count: number) => number): Iterable<Buffer> {
    for (let event = 0; event < number; event += 1) {
      const at = next(event, count);
      const version = (versions.get(at) ?? 0) + 1;
      versions.set(at, version);
      yield lineOf(`{"type":"MODIFIED","object":${podJson(podName(at), version, firstVersion + event + 1, true)}}`);
    }
  }
  return remembered(events, [count, number, pattern].join(), () => together(lines(pick)));
}

const podList = { listKind: 'PodList', apiVersion: 'v1' };

function answer(socket: net.Socket, status: string, body: readonly (Buffer | string)[]): void {
  const length = body.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  socket.write(`HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`);
  for (const part of body) socket.write(part);
}

const listHead = (version: number, token = '', { listKind, apiVersion } = podList): string =>
  `{"kind":"${listKind}","apiVersion":"${apiVersion}","metadata":{"resourceVersion":"${version}"${token === '' ? '' : `,"continue":"${token}"`}},"items":[`;
const listEnd = ']}\n';

function list(socket: net.Socket, pages: readonly Buffer[], query: URLSearchParams, paged: boolean, type = podList): void {
  if (!paged || !query.has('limit')) {
    answer(socket, '200 OK', [
      listHead(firstVersion, '', type),
      ...pages.flatMap((page, at) => (at === 0 ? [page] : [',', page])),
      listEnd,
    ]);
    return;
  }
  const page = Number(query.get('continue') ?? 0);
  const next = page + 1 < pages.length ? String(page + 1) : '';
  answer(socket, '200 OK', [listHead(firstVersion, next, type), pages[page] ?? '', listEnd]);
}

const chunkedHead = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';

/** Sends a list of any length without keeping it: each part is generated when the socket has taken the previous part. */
async function generate(socket: net.Socket, count: number): Promise<void> {
  function* answer(): Iterable<Buffer> {
    yield Buffer.from(chunkedHead);
    yield chunkOf(Buffer.from(listHead(firstVersion + count)));
    for (const items of generatedItems(count)) yield chunkOf(items);
    yield chunkOf(Buffer.from(listEnd));
    yield Buffer.from('0\r\n\r\n');
  }
  await pipeline(Readable.from(answer(), { highWaterMark: 1 }), socket, { end: false });
}

function watch(socket: net.Socket, count: number, query: URLSearchParams, streamed: boolean): void {
  const wantsInitial = query.has('sendInitialEvents');
  if (wantsInitial && !streamed) {
    const message = 'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled';
    answer(socket, '422 Unprocessable Entity', [
      JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason: 'Invalid', code: 422 }),
    ]);
    return;
  }
  socket.write(chunkedHead);
  if (wantsInitial) for (const part of initialOf(count)) socket.write(part);
  watcher = socket;
  send([]);
}

function send(parts: readonly Buffer[]): void {
  waiting = [...waiting, ...parts];
  if (watcher === undefined) return;
  for (const part of waiting) watcher.write(part);
  waiting = [];
}

/** Executes a request that does not belong to the Kubernetes API. */
function command(name: string, [first = '', second = '', third = '']: readonly string[]): void {
  if (first === 'traffic') {
    const { lines } = trafficNamed(second);
    if (name === 'send') send(lines);
  } else if (name === 'prepareEvents') eventsOf(Number(first), Number(second), third);
  else if (name === 'send') send(eventsOf(Number(first), Number(second), third));
  else if (name === 'forget') for (const memory of [names, pages, initial, events, traffic]) memory.clear();
  else if (first === 'streamed') initialOf(Number(second));
  else pagesOf(Number(second));
}

function handle(socket: net.Socket, method: string, target: string): void {
  const { pathname, searchParams } = new URL(target, 'http://localhost');
  const [mode = '', ...rest] = pathname.slice(1).split('/');
  if (method === 'POST') {
    command(mode, rest);
    answer(socket, '200 OK', ['{}']);
  } else if (searchParams.has('watch')) {
    watch(socket, Number(rest[0]), searchParams, mode === 'streamed');
  } else if (mode === 'traffic') {
    const known = trafficNamed(rest[0] ?? '');
    list(socket, known.pages, searchParams, true, known);
  } else if (mode === 'generated') {
    generate(socket, Number(rest[0])).catch(() => socket.destroy());
  } else {
    list(socket, pagesOf(Number(rest[0])), searchParams, mode === 'paged');
  }
}

net
  .createServer({ noDelay: true }, (socket) => {
    let received = '';
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      if (watcher === socket) watcher = undefined;
    });
    socket.on('data', (data) => {
      received += data.toString('latin1');
      for (let end = received.indexOf('\r\n\r\n'); end !== -1; end = received.indexOf('\r\n\r\n')) {
        const [method = '', target = '/'] = received.slice(0, received.indexOf('\r\n')).split(' ');
        received = received.slice(end + 4);
        handle(socket, method, target);
      }
    });
  })
  .listen(0, '127.0.0.1', function (this: net.Server) {
    console.log((this.address() as net.AddressInfo).port);
  });
