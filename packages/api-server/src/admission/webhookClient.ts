import { request as httpsRequest, type RequestOptions } from 'node:https';
import { posix } from 'node:path';
import type { Cluster } from '../cluster.js';
import { jsonProblem } from '../http/decodeBody.js';
import { asJsonObject, asString, isJsonObject, listAt, valueAt, type Json, type JsonObject } from '../json.js';
import type { WebhookService } from './webhookService.js';

/** A failed call of a webhook, with the API server's message. */
export class WebhookCallError extends Error {}

interface Place {
  readonly host: string;
  readonly port: number;
}

function placeOf(address: string, port: number): Place {
  const [, host = address, given] = /^(.*?)(?::(\d+))?$/.exec(address) ?? [];
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: given === undefined ? port : Number(given) };
}

/** The first address of a service's Endpoints. */
function endpointOf({ store }: Cluster, { namespace, name, port }: WebhookService, ports: readonly Json[]): Place | undefined {
  const wanted = asString(valueAt(ports.find((one) => valueAt(one, 'port') === port) ?? null, 'name'));
  const subsets = listAt(store.bucket('/endpoints').get(`${namespace}/${name}`)?.content, 'subsets');
  for (const subset of subsets) {
    const [address] = listAt(subset, 'addresses');
    const found = listAt(subset, 'ports').find((one) => asString(valueAt(one, 'name')) === wanted);
    const host = asString(valueAt(address ?? null, 'ip'));
    if (host !== '' && found !== undefined) return { host, port: Number(valueAt(found, 'port')) };
  }
  return undefined;
}

/**
 * The address of a service: from the option `serviceAddress`, else its external name or the first address of its Endpoints, since this
 * server forwards no service addresses.
 */
function serviceOf(cluster: Cluster, service: WebhookService): Place {
  const { namespace, name, port } = service;
  const given = cluster.serviceAddress?.(service);
  if (given !== undefined) return placeOf(given, port);
  const stored = cluster.store.bucket('/services').get(`${namespace}/${name}`);
  if (stored === undefined) throw new WebhookCallError(`service "${name}" not found`);
  const { type, externalName, ports } = asJsonObject(stored.content['spec']);
  if (type === 'ExternalName') return { host: asString(externalName), port };
  const place = endpointOf(cluster, service, listAt(ports));
  if (place === undefined) throw new WebhookCallError(`no endpoints available for service "${name}"`);
  return place;
}

interface Call {
  /** The address in error messages. */
  readonly shown: string;
  readonly place: () => Place;
  readonly options: RequestOptions;
  readonly headers: Readonly<Record<string, string>>;
}

/** Cleans a path like Go's REST client: without empty segments and a slash at the end. */
function cleanPath(path: string): string {
  return posix.join('/', path).replace(/(.)\/$/, '$1');
}

function callOf(cluster: Cluster, config: JsonObject, timeoutSeconds: number | undefined): Call {
  const caBundle = asString(config['caBundle']);
  // As in Go, any certificate in the bundle is trusted, including that of the webhook itself: controller-runtime's tests rely on it.
  const ca = caBundle === '' ? {} : { ca: Buffer.from(caBundle, 'base64').toString(), allowPartialTrustChain: true };
  const query = timeoutSeconds === undefined ? '' : `timeout=${String(timeoutSeconds)}s`;
  const { service } = config;
  if (isJsonObject(service)) {
    const [namespace, name] = [asString(service['namespace']), asString(service['name'])];
    const port = typeof service['port'] === 'number' ? service['port'] : 443;
    const servername = `${name}.${namespace}.svc`;
    const path = `${cleanPath(asString(service['path']))}${query === '' ? '' : `?${query}`}`;
    const headers = { host: `${servername}:${String(port)}` };
    const options = { ...ca, path, servername };
    return {
      shown: `https://${servername}:${String(port)}${path}`,
      place: () => serviceOf(cluster, { namespace, name, port }),
      options,
      headers,
    };
  }
  const url = new URL(asString(config['url']));
  url.pathname = cleanPath(url.pathname);
  if (query !== '') url.search = url.search === '' ? query : `${url.search}&${query}`;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = url.port === '' ? 443 : Number(url.port);
  return { shown: url.href, place: () => ({ host, port }), options: { ...ca, path: `${url.pathname}${url.search}` }, headers: {} };
}

const unknownAuthority =
  /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(_LOCALLY)?))$/;

/** A connection error with Go's message. */
function connectionProblem(error: Error, { host, port }: Place): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  const unverified = 'tls: failed to verify certificate: x509: ';
  if (unknownAuthority.test(code)) return `${unverified}certificate signed by unknown authority`;
  if (code === 'CERT_HAS_EXPIRED') return `${unverified}certificate has expired or is not yet valid`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `${unverified}${error.message}`;
  if (code === 'ECONNREFUSED') return `dial tcp ${host}:${String(port)}: connect: connection refused`;
  if (code === 'ENOTFOUND') return `dial tcp: lookup ${host}: no such host`;
  return code === 'ECONNRESET' ? 'EOF' : error.message;
}

interface Received {
  readonly code: number;
  readonly text: string;
}

function send({ clock }: Cluster, call: Call, body: string, timeoutSeconds: number): Promise<Received> {
  const place = call.place();
  const headers = { 'content-type': 'application/json', accept: 'application/json, */*', 'content-length': Buffer.byteLength(body) };
  const options = { ...call.options, ...place, method: 'POST', agent: false, headers: { ...headers, ...call.headers } };
  return new Promise((resolve, reject) => {
    const timer = clock.schedule(() => request.destroy(new WebhookCallError('context deadline exceeded')), timeoutSeconds * 1_000);
    const fail = (error: Error): void => {
      timer.unsubscribe();
      reject(error instanceof WebhookCallError ? error : new WebhookCallError(connectionProblem(error, place)));
    };
    const request = httpsRequest(options, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => (text += part)).once('error', fail);
      answer.once('end', () => {
        timer.unsubscribe();
        resolve({ code: answer.statusCode ?? 0, text });
      });
    });
    request.once('error', fail);
    request.end(body);
  });
}

function read({ code, text }: Received): JsonObject {
  let answer: JsonObject = {};
  try {
    answer = asJsonObject(JSON.parse(text));
  } catch (error) {
    if (code < 300) throw new WebhookCallError(jsonProblem(error));
  }
  if (code < 300) return answer;
  const own = answer['kind'] === 'Status' ? asString(answer['message']) : '';
  const said = JSON.stringify(text.trim() || 'unknown');
  throw new WebhookCallError(own || `an error on the server (${said}) has prevented the request from succeeding`);
}

/** The timeout of a webhook call. */
export interface WebhookTimeout {
  readonly seconds: number;
  /** Whether the timeout is sent in the query. */
  readonly sendsTimeout: boolean;
}

/**
 * Sends a review to a webhook over HTTPS and reads the answer. `config` is the `clientConfig` of the webhook.
 *
 * @throws WebhookCallError
 */
export async function callWebhook(
  cluster: Cluster,
  config: JsonObject,
  review: JsonObject,
  { seconds, sendsTimeout }: WebhookTimeout,
): Promise<JsonObject> {
  const call = callOf(cluster, config, sendsTimeout ? seconds : undefined);
  let received: Received;
  try {
    received = await send(cluster, call, JSON.stringify(review), seconds);
  } catch (error) {
    if (error instanceof WebhookCallError) throw new WebhookCallError(`Post ${JSON.stringify(call.shown)}: ${error.message}`);
    throw error;
  }
  return read(received);
}
