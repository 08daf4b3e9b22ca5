import { createHash } from 'node:crypto';
import type { Cluster } from '../cluster.js';
import type { Exchange } from '../http/exchange.js';
import { parseMediaType } from '../http/mediaTypes.js';
import type { KindRegistry } from '../kinds/registry.js';
import { openApiV3, openApiV3Index } from './openApiV3.js';
import { openApiV2 } from './openApiV2.js';

const protobuf = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
/** The media types that select protobuf. */
const askedFor = /application\/com\.github\.(proto-openapi\.spec|googleapis\.gnostic\.OpenAPIv2)[.@]v[12](\.0)?([.@]v1\.0)?\+protobuf/;

interface Made {
  readonly generation: number;
  readonly body: Buffer;
  readonly etag: string;
}

/** Documents for the currently served kinds, by path and form. */
const made = new WeakMap<KindRegistry, Map<string, Made>>();

function cached(kinds: KindRegistry, key: string, make: () => Buffer): Made {
  const documents = made.get(kinds) ?? new Map<string, Made>();
  made.set(kinds, documents);
  const known = documents.get(key);
  if (known?.generation === kinds.generation) return known;
  const body = make();
  const etag = `"${createHash('sha256').update(body).digest('hex').toUpperCase()}"`;
  const document = { generation: kinds.generation, body, etag };
  documents.set(key, document);
  return document;
}

const uncached = { 'cache-control': 'no-cache, private' };

async function send(exchange: Exchange, { body, etag }: Made, contentType: string, vary: string): Promise<void> {
  const headers = { ...(vary !== '' && { etag, vary }) };
  if (exchange.incoming.headers['if-none-match'] === etag) exchange.response.writeHead(304, headers).end();
  else await exchange.sendRaw(200, body, contentType, headers);
}

function json(document: object): Buffer {
  return Buffer.from(JSON.stringify(document));
}

/** Answers a client that accepts no form of a document; whether it does not. */
function refuses({ incoming, response }: Exchange, vary: string): boolean {
  const accepted = (incoming.headers.accept ?? '').split(',').map((clause) => parseMediaType(clause).type);
  const known = ['', '*/*', 'application/*', 'application/json'];
  if (accepted.some((type) => known.includes(type) || type.includes('openapi'))) return false;
  response.writeHead(406, { ...uncached, vary }).end();
  return true;
}

/** Answers requests below `/openapi`, whatever their method; false when the path is unknown. */
export async function handleOpenApi(
  { kinds, features }: Cluster,
  exchange: Exchange,
  [version, ...rest]: readonly string[],
): Promise<boolean> {
  const info = { title: 'Kubernetes', version: features.gitVersion };
  if (version === 'v2' && rest.length === 0) {
    if (refuses(exchange, 'Accept-Encoding, Accept')) return true;
    const binary = askedFor.test(exchange.incoming.headers.accept ?? '');
    const document = cached(kinds, binary ? 'v2 protobuf' : 'v2', () => openApiV2(kinds, info, binary));
    await send(exchange, document, binary ? protobuf : 'application/json', 'Accept-Encoding, Accept');
    return true;
  }
  if (version !== 'v3') return false;
  if (rest.length === 0 && !exchange.path.endsWith('/')) {
    await send(
      exchange,
      cached(kinds, 'v3', () => json(openApiV3Index(kinds))),
      'text/plain; charset=utf-8',
      '',
    );
    return true;
  }
  const path = rest.join('/');
  const whole = openApiV3(kinds, info, path);
  if (whole === undefined) {
    exchange.response.writeHead(404, uncached).end();
    return true;
  }
  if (refuses(exchange, 'Accept')) return true;
  const document = cached(kinds, `v3 ${path}`, () => json(whole));
  // A client that has the URL of an older document is redirected to the current one.
  const [known, current] = [exchange.parameters.text('hash'), String(kinds.generation)];
  if (known !== '' && known !== current)
    exchange.response.writeHead(301, { location: `${exchange.path}?hash=${current}`, ...uncached }).end();
  else await send(exchange, document, 'application/json', 'Accept');
  return true;
}
