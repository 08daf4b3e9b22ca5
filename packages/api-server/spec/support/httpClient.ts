import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';

/** Metadata as specs read it, of objects and of lists. */
export interface AnyMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation?: number;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly object[];
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** An answer as specs read it: an object, a list or a Status. Missing fields are undefined, although their types do not say so. */
export interface AnyJson {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: AnyMeta;
  readonly items: readonly AnyJson[];
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status: Readonly<Record<string, unknown>>;
  readonly data: Readonly<Record<string, string>>;
  readonly message: string;
  readonly reason: string;
  readonly code: number;
  readonly [name: string]: unknown;
}

/** How a request differs from a bare GET. */
export interface RequestInit {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  /** A text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  /** A raw body instead. */
  readonly bytes?: Buffer;
}

/** A whole answer. */
export interface Answer {
  readonly code: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly bytes: Buffer;
  /** The parsed body; a Status with an explanation if it is not JSON. */
  readonly json: AnyJson;
}

/** The address of the server, and the headers and options of each request. */
export interface Endpoint {
  readonly url: string;
  /** Adds certificates and credentials. */
  readonly secure?: (options: RequestOptions) => Promise<void>;
}

/** Sends a request; the answer's body is still to come. */
export async function open(endpoint: Endpoint, path: string, init: RequestInit = {}): Promise<IncomingMessage> {
  const { protocol, hostname, port } = new URL(endpoint.url);
  const { method = 'GET', headers = {}, body } = init;
  const content = init.bytes ?? (body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));
  const typed = body !== undefined && typeof body !== 'string' && headers['content-type'] === undefined;
  const options: RequestOptions = {
    method,
    path,
    hostname,
    port,
    headers: {
      ...(typed && { 'content-type': 'application/json' }),
      ...(content !== undefined && { 'content-length': content.length }),
      ...headers,
    },
  };
  await endpoint.secure?.(options);
  return new Promise((resolve, reject) => {
    const sent = (protocol === 'https:' ? httpsRequest : httpRequest)(options, resolve);
    sent.once('error', reject);
    sent.end(content);
  });
}

function parse(text: string): AnyJson {
  try {
    return JSON.parse(text) as AnyJson;
  } catch {
    return { message: 'no JSON' } as AnyJson;
  }
}

/** Sends a request and reads the whole answer. */
export async function send(endpoint: Endpoint, path: string, init: RequestInit = {}): Promise<Answer> {
  const message = await open(endpoint, path, init);
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  const bytes = Buffer.concat(parts);
  const text = bytes.toString();
  return { code: message.statusCode ?? 0, headers: message.headers, text, bytes, json: parse(text) };
}
