/**
 * The pages of `npm run bench -- relay`, in a separate process: streams over HTTP. A few of them decompress and apply what they receive;
 * the others count bytes.
 */
import { Agent, request, type ClientRequest } from 'node:http';
import { constants, createGunzip } from 'node:zlib';
import { ScopeContent } from '../../../packages/relay/src/client/scopeContent.js';
import { frameReader, protocolVersion, relayHeader } from '../../../packages/relay/src/wire/frames.js';

export interface PageFigures {
  readonly open: number;
  readonly current: number;
  readonly bytes: number;
  readonly rawBytes: number;
  readonly median: number;
  readonly p99: number;
  readonly samples: number;
  readonly sinceMs: number;
}

interface Page {
  readonly sent: ClientRequest;
  isCurrent: boolean;
  /** The beginning of an incomplete frame. */
  rest: string;
  readonly committed: Set<string>;
  readonly light: Map<string, object>;
  readonly at: number;
  readonly kinds: number;
  readonly contents: Map<string, ScopeContent>;
}

const [port = 0] = process.argv.slice(2).map(Number);
const agent = new Agent({ maxSockets: Infinity });
const pages: (Page | undefined)[] = [];
/** The content of each page, which outlives its connections. */
const kept = new Map<number, ScopeContent[]>();
let [bytes, rawBytes, since, lastCurrent] = [0, 0, 0, 0];
let latencies: number[] = [];

const now = (): number => performance.timeOrigin + performance.now();
const scopes = [
  { kind: 'pods', fields: ['spec.nodeName', 'status.phase', 'status.message'] },
  { kind: 'deployments' },
  { kind: 'services' },
];

function note(page: Page): void {
  if (page.isCurrent || page.committed.size < page.kinds) return;
  page.isCurrent = true;
  lastCurrent = now() - since;
}

/** The tokens with which pages that read no rows resume. */
const lightTokens = new Map<number, object[]>();

/** Most pages: they note their position and read no rows, so that 500 of them fit into one process. */
function light(page: Page, part: string): void {
  // A frame may arrive in two parts.
  const text = page.rest + part;
  page.rest = text.slice(text.lastIndexOf('\n\n') + 2);
  for (const [, channel = '', at, log] of text.matchAll(/"c":"(c\d+)","at":(\d+),"log":"(\w+)"/g)) {
    page.committed.add(channel);
    page.light.set(channel, { ...page.light.get(channel), at: Number(at), log, version: '', count: 0, sum: 0 });
  }
  for (const [, channel = '', rights] of text.matchAll(/"c":"(c\d+)","rights":"allowed","id":"(\w+)"/g)) {
    page.light.set(channel, { ...page.light.get(channel), rights });
  }
  if (page.committed.size < page.kinds || [...page.light.values()].some((token) => !('rights' in token && 'at' in token))) return;
  note(page);
  lightTokens.set(page.at, [...page.light.values()]);
}

/** Only one page in 25 applies everything that it receives. */
const isFull = (at: number): boolean => at % 25 === 0;

function open(at: number, follows: readonly object[]): void {
  const contents = kept.get(at) ?? scopes.map(() => new ScopeContent(false));
  kept.set(at, contents);
  for (const content of contents) content.cut();
  const body = JSON.stringify({
    version: protocolVersion,
    scopes: follows.map((scope, index) => ({ ...scope, token: isFull(at) ? contents[index]?.token() : lightTokens.get(at)?.[index] })),
  });
  const headers = { 'content-type': 'application/json', 'accept-encoding': 'gzip', [relayHeader]: '1', 'x-user': `user-${at % 50}` };
  const sent = request({ host: '127.0.0.1', port, method: 'POST', headers, agent }, (response) => {
    const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
    const read = frameReader();
    const channels: string[] = [];
    response.on('data', (part: Buffer) => {
      bytes += part.length;
      gunzip.write(part);
    });
    gunzip.on('data', (part: Buffer) => {
      // Data of an abandoned stream is ignored.
      if (pages[at] !== page) return;
      rawBytes += part.length;
      const arrived = now();
      const text = part.toString();
      if (page.isCurrent) for (const [, stamp] of text.matchAll(/t=([\d.]+)/g)) latencies.push(arrived - Number(stamp));
      if (!isFull(at)) {
        light(page, text);
        return;
      }
      for (const frame of read(text)) {
        if ('open' in frame) {
          channels.push(...frame.open);
          channels.forEach((channel, index) => page.contents.set(channel, contents[index] as ScopeContent));
        } else if ('c' in frame) {
          const content = page.contents.get(frame.c);
          if ('g' in frame) content?.rows(frame);
          else if ('reset' in frame) content?.reset();
          else if ('log' in frame) {
            content?.commit(frame);
            page.committed.add(frame.c);
          } else if ('rights' in frame) content?.setRights(frame.rights, frame.id);
          note(page);
        }
      }
    });
  });
  const page: Page = {
    sent,
    isCurrent: false,
    rest: '',
    committed: new Set(),
    light: new Map(),
    at,
    kinds: follows.length,
    contents: new Map(),
  };
  sent.on('error', () => undefined);
  sent.end(body);
  pages[at] = page;
}

const direct: ClientRequest[] = [];

/** A browser that watches without a relay: one watch per kind, with or without a list before. It counts bytes. */
function openDirectly(withList: boolean): void {
  const get = (path: string, done: () => void = () => undefined): void => {
    const sent = request({ host: '127.0.0.1', port, path, agent }, (response) => {
      response.on('data', (part: Buffer) => (bytes += part.length)).on('end', done);
    });
    sent.on('error', () => undefined).end();
    direct.push(sent);
  };
  for (const kind of ['pods', 'deployments', 'services']) {
    if (withList) get(`/${kind}`, () => (lastCurrent = now() - since));
    get(`/${kind}?watch=1`);
  }
}

function figures(): PageFigures {
  const sorted = latencies.sort((a, b) => a - b);
  const quantile = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? NaN;
  const result = {
    open: pages.length,
    current: pages.filter((page) => page?.isCurrent === true).length,
    bytes,
    rawBytes,
    median: quantile(0.5),
    p99: quantile(0.99),
    samples: sorted.length,
    sinceMs: lastCurrent,
  };
  latencies = [];
  bytes = 0;
  rawBytes = 0;
  return result;
}

process.on(
  'message',
  (
    message:
      | { readonly do: 'direct'; readonly count: number; readonly withList: boolean }
      | { readonly do: 'open'; readonly from: number; readonly to: number; readonly kinds: number }
      | { readonly do: 'close' | 'reconnect' | 'figures' },
  ) => {
    if (message.do === 'open') {
      since = now();
      for (let at = message.from; at < message.to; at += 1) open(at, scopes.slice(0, message.kinds));
    }
    if (message.do === 'direct') {
      since = now();
      for (let count = 0; count < message.count; count += 1) openDirectly(message.withList);
    }
    if (message.do === 'close') for (const sent of direct.splice(0)) sent.destroy();
    if (message.do === 'close') for (const page of pages.splice(0)) page?.sent.destroy();
    if (message.do === 'reconnect') {
      since = now();
      for (const [at, page] of [...pages.splice(0).entries()]) {
        page?.sent.destroy();
        open(at, scopes);
      }
    }
    process.send?.(message.do === 'figures' ? figures() : {});
  },
);
process.on('disconnect', () => process.exit());
process.send?.({});
