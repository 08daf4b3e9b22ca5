import { connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { itEmbedded, openTarget, status, type Target } from '../support/target.js';

const partial = (kind: string, version = 'v1'): string => `application/json;as=${kind};v=${version};g=meta.k8s.io`;

describe('transport', () => {
  let target: Target;
  let path: string;
  beforeAll(async () => {
    target = await openTarget();
    path = await target.secrets();
    await target.post(path, { metadata: { name: 'a', labels: { x: 'y' } }, data: { k: 'dg==' } });
  });
  afterAll(() => target.close());

  it.each([
    ['watch=0', false],
    ['watch=false', false],
    ['watch=FALSE', false],
    ['watch', true],
    ['watch=1', true],
    ['watch=True', true],
    ['watch=bogus', true],
  ])('reads ?%s as %s (row 47)', async (query, watches) => {
    const { text } = await target.request(`${path}?${query}&timeoutSeconds=1`);
    expect(text.startsWith('{"type":"ADDED"')).toBe(watches);
  });

  it('ignores what it does not know, and takes the first of what is repeated (1)', async () => {
    expect((await target.must(`${path}?foo=bar&watchh=1`)).kind).toBe('SecretList');
    expect((await target.must(`${path}?limit=1&limit=abc`)).kind).toBe('SecretList');
  });

  it('reduces objects to their metadata on demand (row 58)', async () => {
    const one = await target.request(`${path}/a`, { headers: { accept: partial('PartialObjectMetadata') } });
    expect(one.json).toMatchObject({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { name: 'a', labels: { x: 'y' } },
    });
    expect(Object.keys(one.json).sort()).toEqual(['apiVersion', 'kind', 'metadata']);
    const list = await target.request(path, { headers: { accept: partial('PartialObjectMetadataList') } });
    expect(list.json).toMatchObject({
      kind: 'PartialObjectMetadataList',
      items: [{ kind: 'PartialObjectMetadata', metadata: { name: 'a' } }],
    });
    expect(list.json.items[0]).not.toHaveProperty('data');
    const watch = await target.watch(`${path}?watch=true`, { accept: partial('PartialObjectMetadata') });
    const { object } = await watch.next();
    expect(object).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'a' } });
    expect(object).not.toHaveProperty('data');
    watch.close();
  });

  it('refuses the form of a list for an object, and the other way round (row 58)', async () => {
    const list = await target.request(path, { headers: { accept: partial('PartialObjectMetadata') } });
    expect(list.json).toMatchObject(
      status(406, 'NotAcceptable', 'you requested PartialObjectMetadata, but the requested object is a list'),
    );
    const options = { headers: { accept: partial('PartialObjectMetadata') } };
    expect((await target.request(`${path}?resourceVersionMatch=bad&resourceVersion=1`, options)).code).toBe(422);
    const one = await target.request(`${path}/a`, { headers: { accept: partial('PartialObjectMetadataList') } });
    expect(one.json.message).toBe('you requested PartialObjectMetadataList, but the requested object is not a list');
  });

  it.each([
    '*/*',
    'application/json',
    'application/json, */*',
    'text/html, application/json;q=0.5',
    'application/json;q=0',
    'application/vnd.kubernetes.protobuf;q=0.1,application/json',
    '',
  ])('answers JSON to Accept: %s (rows 59, 61)', async (accept) => {
    const { code, headers } = await target.request(`${path}/a`, { headers: { accept } });
    expect([code, headers['content-type'], headers['cache-control']]).toEqual([200, 'application/json', 'no-cache, private']);
  });

  it.each(['text/html', 'application/*', 'application/json;as=Nope;v=v1;g=meta.k8s.io', partial('PartialObjectMetadata', 'v9')])(
    'refuses Accept: %s (row 59)',
    async (accept) => {
      expect((await target.request(`${path}/a`, { headers: { accept } })).json).toMatchObject({ code: 406, reason: 'NotAcceptable' });
    },
  );

  it('falls back to the next clause when it cannot serve one (row 59)', async () => {
    const { json } = await target.request(`${path}/a`, {
      headers: { accept: 'application/json;as=Nope;v=v1;g=meta.k8s.io,application/json' },
    });
    expect(json.kind).toBe('Secret');
  });

  it('reads a body without a type as JSON, and refuses what it cannot read (row 60)', async () => {
    const body = JSON.stringify({ metadata: { name: 'untyped' } });
    expect((await target.request(path, { method: 'POST', body })).code).toBe(201);
    const { json } = await target.request(path, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' });
    expect(json).toMatchObject({ code: 415, reason: 'UnsupportedMediaType' });
    expect(json.message).toMatch(
      /^the body of the request was in an unknown format - accepted media types include: application\/json, application\/yaml/,
    );
  });

  it('survives a body in protobuf that is none (row 61)', async () => {
    const { code } = await target.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/vnd.kubernetes.protobuf' },
      body: 'k8s\0junk',
    });
    expect([400, 415]).toContain(code);
  });

  it('compresses what is larger than 128 KiB, for those that take it (row 98)', async () => {
    const big = await target.secrets();
    for (const name of ['a', 'b']) await target.post(big, { metadata: { name }, stringData: { filling: 'x'.repeat(80_000) } });
    const headers = { 'accept-encoding': 'gzip' };
    const list = await target.request(big, { headers });
    expect([list.headers['content-encoding'], list.headers.vary]).toEqual(['gzip', 'Accept-Encoding']);
    expect((JSON.parse(gunzipSync(list.bytes).toString()) as { items: unknown[] }).items).toHaveLength(2);
    expect((await target.request(`${big}/a`, { headers })).headers['content-encoding']).toBeUndefined();
    expect((await target.request(big)).headers['content-encoding']).toBeUndefined();
  });

  it('is easy to read for people (row 99)', async () => {
    const plain = await target.request(`${path}/a`);
    expect(plain.text).toMatch(/^\{"kind":"Secret".*\}\n$/);
    const pretty = '{\n  "kind": "Secret",\n  "apiVersion": "v1",\n';
    expect((await target.request(`${path}/a?pretty=true`)).text.startsWith(pretty)).toBe(true);
    expect((await target.request(`${path}/a`, { headers: { 'user-agent': 'curl/8.0' } })).text.startsWith(pretty)).toBe(true);
    expect((await target.request(`${path}/a?pretty=0`, { headers: { 'user-agent': 'curl/8.0' } })).text).toBe(plain.text);
  });

  it('takes no more than 3 MiB (row 100)', async () => {
    const { json } = await target.request(path, {
      method: 'POST',
      body: { metadata: { name: 'big' }, stringData: { k: 'x'.repeat(3_300_000) } },
    });
    expect(json).toMatchObject(status(413, 'RequestEntityTooLarge', 'Request entity too large: limit is 3145728'));
  });

  it('speaks YAML both ways, but not on a watch (row 101)', async () => {
    const yaml = 'application/yaml';
    const body = 'apiVersion: v1\nkind: Secret\nmetadata:\n  name: from-yaml\n';
    const created = await target.request(path, { method: 'POST', headers: { 'content-type': yaml, accept: yaml }, body });
    expect([created.code, created.headers['content-type']]).toEqual([201, yaml]);
    expect(created.text).toMatch(/^apiVersion: v1\nkind: Secret\nmetadata:\n {2}creationTimestamp: /);
    expect((await target.request(path, { headers: { accept: yaml } })).text).toContain('kind: SecretList');
    expect((await target.request(`${path}?watch=true`, { headers: { accept: yaml } })).code).toBe(406);
    const options = await target.request(`${path}/from-yaml`, {
      method: 'DELETE',
      headers: { 'content-type': yaml },
      body: 'propagationPolicy: Background\n',
    });
    expect(options.json.status).toBe('Success');
  });
});

describe('transport of the embedded server', () => {
  let target: Target;
  beforeAll(async () => {
    target = await openTarget();
  });
  afterAll(() => target.close());

  function raw(text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(target.server.port, '127.0.0.1', () => socket.write(text));
      let answer = '';
      socket.setEncoding('utf8');
      socket.on('data', (part: string) => (answer += part));
      socket.on('error', reject);
      socket.on('close', () => resolve(answer));
    });
  }

  itEmbedded('answers to names of this machine only', async () => {
    expect(await raw('GET /version HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /);
    for (const host of ['localhost', '127.0.0.1:80', '[::1]:80']) {
      expect(await raw(`GET /version HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
    }
  });

  itEmbedded('answers to no web page but those of this machine', async () => {
    for (const [origin, code] of [
      ['https://evil.example', 403],
      ['null', 403],
      ['http://localhost:3000', 200],
    ] as const) {
      expect((await target.request('/version', { headers: { origin } })).code).toBe(code);
    }
  });

  itEmbedded('answers to bytes that are no HTTP, and goes on', async () => {
    expect(await raw('nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    expect((await target.request('/healthz')).text).toBe('ok');
  });
});
