import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type IncomingHttpHeaders, request as httpRequest, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { filter, firstValueFrom, of } from 'rxjs';
import { createInformer, type KubernetesObject, resources } from 'rx-informer';
import { relaySource } from '../../src/client/relaySource.js';
import { createRelay, type Relay, type RelayOptions } from '../../src/serve/createRelay.js';
import { protocolVersion, relayHeader } from '../../src/wire/frames.js';
import { fakeCollection } from '@rx-informer/views/testing';
import { pod } from 'rx-informer/testing';

const { pods } = resources.core.v1;
const body = JSON.stringify({ version: protocolVersion, scopes: [{ kind: 'pods' }] });
const headers = { [relayHeader]: '1', 'content-type': 'application/json' };

function relayOf(options: Partial<RelayOptions> = {}): {
  readonly relay: Relay;
  readonly cache: ReturnType<typeof fakeCollection<KubernetesObject>>;
} {
  const cache = fakeCollection<KubernetesObject>([pod('a'), pod('b')], { name: 'pods' });
  const relay = createRelay({
    sources: { pods: { collection: cache, resource: pods } },
    authenticate: () => ({ name: 'ada' }),
    authorize: { review: () => of(true) },
    ...options,
  });
  return { relay, cache };
}

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

async function served(relay: Relay, handle: RequestListener = (request, response) => relay.handle(request, response)): Promise<string> {
  const server: Server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => {
    relay.stop();
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** The head and the first bytes of an answer as sent. */
function firstBytes(
  url: string,
  extra: Readonly<Record<string, string>>,
): Promise<{ readonly headers: IncomingHttpHeaders; readonly bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method: 'POST', headers: { ...headers, ...extra } }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => {
        parts.push(part);
        if (Buffer.concat(parts).length < 60) return;
        resolve({ headers: response.headers, bytes: Buffer.concat(parts) });
        sent.destroy();
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

describe('createRelay', () => {
  it('serves pages over HTTP, each change to all of them', async () => {
    const { relay, cache } = relayOf();
    const url = await served(relay);
    const informer = createInformer(relaySource<KubernetesObject>(url, { kind: 'pods', fields: ['status.phase'] }), { resource: 'pods' });
    await informer.whenSynced();
    expect(informer.indexer.listKeys().sort()).toEqual(['default/a', 'default/b']);
    const changed = firstValueFrom(informer.index$.pipe(filter((index) => index.has('default/c') && !index.has('default/a'))), {
      defaultValue: undefined,
    });
    cache.put(pod('c'));
    cache.remove('default/a');
    await changed;
    expect(relay.figures()).toMatchObject({ streams: 1, scopes: 1, objects: 2 });
    await informer.stop();
  });

  it('takes a body that a parser has read before, as a text, as bytes or as an object', async () => {
    const { relay } = relayOf();
    const answers: unknown[] = [];
    for (const parsed of [body, Buffer.from(body), JSON.parse(body) as object, 'x'.repeat(300_000), undefined]) {
      const read: RequestListener = (request, response) => {
        request.resume().on('end', () => setImmediate(() => relay.handle(Object.assign(request, { body: parsed }), response)));
      };
      const response = await fetch(await served(relay, read), { method: 'POST', headers, body });
      answers.push(response.ok ? response.status : await response.json());
      if (response.ok) await response.body?.cancel();
    }
    expect(answers).toEqual([
      ...[200, 200, 200],
      { reason: 'TooLarge', message: 'Expected at most 262144 bytes' },
      { reason: 'BadRequest', message: 'Expected a body of JSON, got none: a parser in front of the relay may have read it' },
    ]);
  });

  it('sends one gzip member of parts that are compressed once, where a client accepts it', async () => {
    const { relay } = relayOf();
    const url = await served(relay);
    const plain = await firstBytes(url, {});
    const zipped = await firstBytes(url, { 'accept-encoding': 'br, gzip' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.bytes.toString()).toMatch(/^data: \{"open":\["c1"\]\}\n\n/);
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect([...zipped.bytes.subarray(0, 4)]).toEqual([0x1f, 0x8b, 8, 0]);
    // `fetch` reads it as it comes, without an end.
    const answer = await fetch(url, { method: 'POST', headers: { ...headers, 'accept-encoding': 'gzip' }, body });
    const reader: ReadableStreamDefaultReader<string> | undefined = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('"log"')) text += (await reader?.read())?.value ?? '';
    expect(text).toMatch(/\["default\/a",\{[^[]*"apiVersion":"v1","kind":"Pod"/);
    await reader?.cancel();
  });

  it('keeps shared caches and proxies from keeping or holding back what it sends', async () => {
    const { relay } = relayOf();
    const { headers: sent } = await firstBytes(await served(relay), {});
    expect(sent['cache-control']).toBe('private, no-store, no-transform');
    expect(sent['x-accel-buffering']).toBe('no');
    expect(sent['content-type']).toBe('text/event-stream; charset=utf-8');
  });

  it('answers requests of fetch', async () => {
    const { relay } = relayOf();
    const ask = (init: RequestInit): Promise<Response> => relay.fetch(new Request('http://localhost/relay', init));
    expect((await ask({ method: 'POST', headers, body: 'not JSON' })).status).toBe(400);
    const answer = await ask({ method: 'POST', headers, body });
    const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = answer.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    expect(new TextDecoder().decode(value)).toMatch(/^data: \{"open"/);
    expect(relay.figures().streams).toBe(1);
    await reader?.cancel();
    expect(relay.figures().streams).toBe(0);
    relay.stop();
  });

  it('reads no more of a body of fetch than a request may have', async () => {
    const { relay } = relayOf();
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 1;
        if (pulled > 100) controller.close();
        else controller.enqueue(new Uint8Array(65_536));
      },
    });
    const asked = { method: 'POST', headers, body: endless, duplex: 'half' };
    const answer = await relay.fetch(new Request('http://localhost/relay', asked as RequestInit));
    expect([answer.status, await answer.json(), pulled < 10]).toEqual([
      413,
      { reason: 'TooLarge', message: 'Expected at most 262144 bytes' },
      true,
    ]);
    relay.stop();
  });

  it('lets pages of other origins in where they are named', async () => {
    const { relay } = relayOf({ origins: ['https://dashboard.example'] });
    const ask = (origin: string, method = 'POST'): Promise<Response> =>
      relay.fetch(new Request('http://localhost/', { method, headers: { ...headers, origin }, ...(method === 'POST' && { body }) }));
    const preflight = await ask('https://dashboard.example', 'OPTIONS');
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, 'https://dashboard.example']);
    expect((await ask('https://dashboard.example')).status).toBe(200);
    expect([(await ask('https://evil.example')).status, (await ask('http://localhost')).status]).toEqual([403, 200]);
    relay.stop();
  });

  it('refuses options that are wrong', () => {
    const make = (options: object) => () => relayOf(options);
    expect(make({ athenticate: () => undefined })).toThrow('did you mean `authenticate`?');
    expect(make({ sources: { pods: { collection: {}, resource: pods } } })).toThrow(
      'Expected `collection` of `sources.pods` to be an informer or a view',
    );
    expect(make({ sources: { rows: { collection: fakeCollection([]), inputs: ['pods'] } } })).toThrow(
      'to be names of `sources`, got "pods"',
    );
    for (const host of ['relay.example:443', 'https://relay.example', '::1', '*'])
      expect(make({ hosts: [host] })).toThrow('`hosts` of `createRelay` to be a list of names of hosts, without ports');
    for (const origin of ['relay.example', 'https://relay.example/', 'https://Relay.example', '*'])
      expect(make({ origins: [origin] })).toThrow('`origins` of `createRelay` to be a list of origins, such as');
    make({ hosts: ['Relay.example', '[::1]'], origins: ['http://relay.example:8080', 'tauri://localhost', 'null'] })().relay.stop();
    expect(make({ limits: { streams: 0 } })).toThrow('createRelay.limits');
    expect(make({ authorize: { ask: () => of(true) } })).toThrow('review');
  });

  it('shows nothing to anybody without `authorize`', async () => {
    const { relay } = relayOf({ authorize: undefined });
    const informer = createInformer(relaySource<KubernetesObject>(await served(relay), { kind: 'pods' }), {
      resource: 'pods',
      logger: { warn: () => undefined },
    });
    informer.start();
    const { state, error } = await firstValueFrom(informer.health$.pipe(filter((health) => health.error !== undefined)), {
      defaultValue: informer.health(),
    });
    expect([state, error?.message]).toEqual(['retrying', 'pods: the user may not list and watch it']);
    expect(informer.hasSynced()).toBe(false);
    await informer.stop();
  });

  it('keeps no stream for a request of `fetch` that was aborted, before its answer or after', async () => {
    const { relay } = relayOf();
    const asked = (signal: AbortSignal) => relay.fetch(new Request('http://localhost/', { method: 'POST', headers, body, signal }));
    const [early, late] = [new AbortController(), new AbortController()];
    void asked(early.signal);
    early.abort();
    const { status } = await asked(late.signal);
    expect([status, relay.figures().streams]).toEqual([200, 1]);
    late.abort();
    expect(relay.figures().streams).toBe(0);
    relay.stop();
  });
});
