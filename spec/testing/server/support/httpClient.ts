import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';

/** JSON as a spec reads it: any path can be followed, and matched. */
// The specs look into answers of every shape; types would only repeat the matchers.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyJson = any;

/** How a request differs from a bare GET. */
export interface RequestInit {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  /** A text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
}

/** A whole answer. */
export interface Answer {
  readonly code: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly bytes: Buffer;
  /** The parsed body; undefined when it is no JSON. */
  readonly json: AnyJson;
}

/** Where requests go, and what belongs to each of them. */
export interface Endpoint {
  readonly url: string;
  /** Adds certificates and credentials. */
  readonly secure?: (options: RequestOptions) => Promise<void>;
}

/** Sends a request; the answer's body is still to come. */
export async function open(endpoint: Endpoint, path: string, init: RequestInit = {}): Promise<IncomingMessage> {
  const { protocol, hostname, port } = new URL(endpoint.url);
  const { method = 'GET', headers = {}, body } = init;
  const content = body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const typed = content !== undefined && typeof body !== 'string' && headers['content-type'] === undefined;
  const options: RequestOptions = {
    method,
    path,
    hostname,
    port,
    headers: { ...(typed && { 'content-type': 'application/json' }), ...(content !== undefined && { 'content-length': content.length }), ...headers },
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
    return JSON.parse(text);
  } catch {
    return undefined;
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
