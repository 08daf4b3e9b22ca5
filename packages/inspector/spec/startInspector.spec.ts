import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Subject } from 'rxjs';
import type { SourceEvent } from 'rx-informer/pipeline';
import { createInformer, inNamespaces, type SharedInformer } from 'rx-informer';
import { RecordedScene } from '../src/inspection.js';
import { InspectorServer } from '../src/inspectorServer.js';
import { answerOf } from '../src/look.js';
import { LiveScene } from '../src/scene.js';
import { type Inspector, startInspector } from '../src/startInspector.js';
import { groupObjects } from '@rx-informer/views';
import { added, deleted, list, modified, pod, type Pod } from '../../../spec/delta/pods.js';
import { heldAfterCollection } from '../../../spec/leaks/garbage.js';
import { ask, lookAt, tokenOf } from './ask.js';

const paths = ['/', '/page.js', '/page.css', '/look', '/export', '/nothing', '/look?q=%7B%7D'];

describe('startInspector', () => {
  let inspector: Inspector;
  let informer: SharedInformer<Pod>;
  let source: Subject<SourceEvent<Pod>>;
  let number = 0;

  /** An informer with three pods, which runs before the inspector does. */
  beforeEach(async () => {
    source = new Subject();
    number += 1;
    informer = createInformer<Pod>(source, { name: `pods ${number}`, resource: 'pods' });
    informer.resource$.subscribe();
    for (const event of list('9', [pod('a', '1'), pod('b', '2'), pod('c', '3')])) source.next(event);
    inspector = await startInspector({ title: 'spec' });
  });
  afterEach(async () => {
    await inspector.close();
    await informer.stop();
  });

  const idOf = async (): Promise<number> => {
    const { things } = (await lookAt(inspector, { panel: 'objects' })) as unknown as { things: { id: number }[] };
    return things[0]?.id ?? 0;
  };

  describe('refuses', () => {
    it.each(paths)('%s by a name that is not of this machine', async (path) => {
      for (const host of [
        'evil.example',
        `evil.example:${inspector.port}`,
        '127.0.0.1.evil.example',
        '10.0.0.1',
        'localhost.evil.example:80',
      ])
        expect(await ask(inspector.port, path, { host, ...tokenOf(inspector) })).toMatchObject({ status: 403 });
    });

    it.each(paths)('%s to a page of another origin', async (path) => {
      const host = `localhost:${inspector.port}`;
      for (const origin of [
        'https://evil.example',
        'null',
        'http://localhost',
        `https://localhost:${inspector.port}`,
        `http://127.0.0.1:${inspector.port}`,
      ])
        expect(await ask(inspector.port, path, { host, origin, ...tokenOf(inspector) })).toMatchObject({ status: 403 });
      expect(await ask(inspector.port, path, { host, 'sec-fetch-site': 'cross-site', ...tokenOf(inspector) })).toMatchObject({
        status: 403,
      });
    });

    it.each(['null', '5', '[]', '{'])('a question that is no object: %s', async (question) => {
      const answer = await ask(inspector.port, `/look?q=${encodeURIComponent(question)}`, tokenOf(inspector));
      expect(answer).toMatchObject({ status: 400, text: 'Expected `q` to be an object in JSON, such as {"panel":"objects"}\n' });
    });

    it.each(['/look', '/export', '/nothing'])('%s without the token', async (path) => {
      for (const authorization of ['', 'Bearer ', 'Bearer wrong', `Basic ${tokenOf(inspector).authorization.slice(7)}`])
        expect(await ask(inspector.port, path, { authorization })).toMatchObject({ status: 403 });
      expect(await ask(inspector.port, `${path}?token=${tokenOf(inspector).authorization.slice(7)}`)).toMatchObject({ status: 403 });
    });

    it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])('to be asked by %s', async (method) => {
      for (const path of ['/', '/look']) expect(await ask(inspector.port, path, tokenOf(inspector), method)).toMatchObject({ status: 405 });
    });
  });

  it('gives the static page to everybody on this machine, with a policy that loads nothing from elsewhere and no inline script', async () => {
    const { status, headers, text } = await ask(inspector.port, '/');
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';/);
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY', 'cache-control': 'no-store' });
    expect(text).not.toMatch(/<script[^>]*>[^<]|https?:|style=/);
    expect(text).not.toContain('pods');
  });

  it('answers by any port, as kubectl port-forward brings it', async () => {
    expect(
      await ask(inspector.port, '/look', { host: 'localhost:9999', origin: 'http://localhost:9999', ...tokenOf(inspector) }),
    ).toMatchObject({ status: 200 });
  });

  it('shows what ran before it did', async () => {
    expect(await lookAt(inspector, {})).toMatchObject({
      title: 'spec',
      warnings: [],
      things: [{ facts: { kind: 'informer', name: informer.name, state: 'watching', objects: 3, resourceVersion: '9', subscribers: 1 } }],
    });
  });

  it('sends the rows that are visible, and finds keys', async () => {
    const of = await idOf();
    expect(await lookAt(inspector, { panel: 'objects', of, from: 1, count: 1 })).toMatchObject({
      objects: { total: 3, from: 1, rows: ['default/b'] },
    });
    expect(await lookAt(inspector, { panel: 'objects', of, search: 't/c' })).toMatchObject({ objects: { total: 1, rows: ['default/c'] } });
    expect(await lookAt(inspector, { panel: 'objects', of, count: 1e9 })).toMatchObject({ objects: { total: 3 } });
    expect(await lookAt(inspector, { panel: 'overview' })).not.toHaveProperty('objects');
  });

  it('shows the versions of an object, in what they differ, and what it was at a moment', async () => {
    const of = await idOf();
    const begin = performance.timeOrigin + performance.now();
    source.next(modified(pod('a', '10', { value: 'new' })));
    source.next(added(pod('d', '11')));
    source.next(deleted(pod('b', '12')));
    expect(await lookAt(inspector, { panel: 'objects', of, key: 'default/a' })).toMatchObject({
      open: {
        object: { value: 'new' },
        total: 1,
        versions: [{ type: 'updated', differences: [{ path: ['metadata', 'resourceVersion'] }, { path: ['value'], after: 'new' }] }],
      },
    });
    const earlier = async (key: string): Promise<unknown> => (await lookAt(inspector, { panel: 'objects', of, key, at: begin }))['open'];
    expect(await earlier('default/a')).toMatchObject({ object: pod('a', '1') });
    expect(await earlier('default/b')).toMatchObject({ object: { metadata: { name: 'b' } } });
    expect(await earlier('default/d')).not.toHaveProperty('object');
    expect(await lookAt(inspector, { panel: 'timeline' })).toMatchObject({
      timeline: {
        total: 3,
        dropped: 0,
        skipped: 0,
        rows: [
          { type: 'deleted', key: 'default/b' },
          { type: 'added', key: 'default/d' },
          { type: 'updated', key: 'default/a' },
        ],
      },
    });
  });

  it('says why something of an object was not delivered, in the timeline and with the object, but not among its versions', async () => {
    const of = await idOf();
    const begin = performance.timeOrigin + performance.now();
    informer.change$.pipe(inNamespaces('elsewhere')).subscribe();
    source.next(modified(pod('a', '1')));
    source.next(modified(pod('a', '10')));
    const look = { panel: 'objects', of, key: 'default/a' };
    expect(await lookAt(inspector, look)).toMatchObject({
      open: {
        total: 1,
        versions: [{ type: 'updated' }],
        drops: [
          { type: 'dropped', cause: 'filtered by inNamespaces' },
          { type: 'dropped', cause: 'same version' },
          { type: 'dropped', cause: 'filtered by inNamespaces' },
        ],
      },
    });
    expect(await lookAt(inspector, { ...look, at: begin })).toMatchObject({ open: { object: pod('a', '1'), versions: [], drops: [] } });
    expect(await lookAt(inspector, { panel: 'timeline', search: 'default/a' })).toMatchObject({
      timeline: {
        total: 4,
        rows: [
          { type: 'dropped', cause: 'filtered by inNamespaces', key: 'default/a' },
          { type: 'updated', cause: 'watch', key: 'default/a' },
          { type: 'dropped', cause: 'same version', key: 'default/a' },
          { type: 'dropped', cause: 'filtered by inNamespaces', key: 'default/a' },
        ],
      },
    });
    for (const event of list(
      '20',
      Array.from({ length: 200 }, (_, at) => pod(`p${at}`, String(100 + at))),
    ))
      source.next(event);
    expect(await lookAt(inspector, { panel: 'timeline' })).toMatchObject({
      timeline: { rows: [{ type: 'dropped', cause: 'filtered by inNamespaces' }, ...Array<unknown>(49).fill(expect.anything())] },
    });
    for (const event of list(
      '21',
      Array.from({ length: 200 }, (_, at) => pod(`p${at}`, String(100 + at))),
    ))
      source.next(event);
    expect(await lookAt(inspector, { panel: 'timeline', count: 2 })).toMatchObject({
      timeline: { rows: [{ type: 'dropped', cause: 'same version', count: 200 }, expect.anything()] },
    });
  });

  it('says how many changes it has dropped, the oldest first', async () => {
    const small = await startInspector({ timelineBytes: 5_000 });
    for (let at = 0; at < 100; at += 1) source.next(modified(pod('a', String(20 + at), { value: String(at) })));
    const { timeline } = (await lookAt(small, { panel: 'timeline', count: 5 })) as unknown as {
      timeline: { entries: number; dropped: number; bytes: number; rows: unknown[] };
    };
    expect(timeline.bytes).toBeLessThanOrEqual(5_000);
    expect(timeline.entries + timeline.dropped).toBe(100);
    expect(timeline.dropped).toBeGreaterThan(80);
    expect(timeline.rows[0]).toMatchObject({ differences: [{ path: ['metadata', 'resourceVersion'], after: '119' }, { path: ['value'] }] });
    await small.close();
  });

  it('holds nothing that it has shown and that runs no more', async () => {
    const scene = new LiveScene({ title: 'spec', secrets: false, timelineBytes: 1000 });
    const lookAndLeave = async (): Promise<WeakRef<object>> => {
      const view = groupObjects(informer, () => 'all', { name: 'passing' });
      const following = view.change$.subscribe();
      expect(scene.things().map(({ facts }) => facts.name)).toContain('passing');
      following.unsubscribe();
      await view.stop();
      return new WeakRef(view);
    };
    const gone = await lookAndLeave();
    scene.stop();
    expect(await heldAfterCollection([gone])).toBe(0);
    expect(scene.things().map(({ facts }) => facts.name)).not.toContain('passing');
  });

  it('shows the graph of views', async () => {
    const groups = groupObjects(informer, ({ metadata }) => metadata.namespace, { name: 'groups' });
    groups.change$.subscribe();
    const of = await idOf();
    const { things } = (await lookAt(inspector, { panel: 'graph' })) as unknown as {
      things: { id: number; facts: object; inputs: number[] }[];
    };
    expect(things).toMatchObject([{ id: of }, { facts: { name: 'groups', objects: 1 }, inputs: [of] }]);
    expect(await lookAt(inspector, { panel: 'objects', of: things[1]?.id, key: 'default' })).toMatchObject({
      open: { explanation: { inputs: [{ collection: informer.name, keys: ['default/a', 'default/b', 'default/c'] }] } },
    });
    await groups.stop();
  });

  it('writes a file that shows the same later', async () => {
    const of = await idOf();
    const begin = performance.timeOrigin + performance.now();
    source.next(modified(pod('a', '10', { value: 'new' })));
    const { text } = await ask(inspector.port, '/export', tokenOf(inspector));
    const scene = new RecordedScene(text.split('\n'));
    expect(answerOf(scene, { panel: 'timeline' })).toMatchObject({ timeline: { total: 1, rows: [{ type: 'updated', key: 'default/a' }] } });
    expect(answerOf(scene, { panel: 'objects', of })).toMatchObject({ objects: { rows: ['default/a', 'default/b', 'default/c'] } });
    expect(answerOf(scene, { panel: 'objects', of, key: 'default/a' })).toMatchObject({ open: { object: { value: 'new' } } });
    expect(answerOf(scene, { panel: 'objects', of, key: 'default/a', at: begin })).toMatchObject({ open: { object: pod('a', '1') } });
    expect(() => new RecordedScene(['{"recording":1}'])).toThrow('Expected line 1 to be the header of an inspection');
  });

  it('masks Secrets wherever they would show, unless it was asked for them', async () => {
    const secrets = new Subject<SourceEvent<Pod>>();
    const secret = (version: string, password: string): Pod =>
      ({ ...pod('s', version), data: { password }, stringData: { other: password } }) as unknown as Pod;
    const holder = createInformer<Pod>(secrets, { name: 'secrets', resource: 'secrets' });
    const made = groupObjects(holder, (each) => (each as unknown as { data: { password: string } }).data.password, { name: 'by password' });
    made.change$.subscribe();
    const open = await startInspector({ secrets: true });
    await lookAt(inspector, {});
    for (const event of list('1', [secret('1', 'hunter1')])) secrets.next(event);
    secrets.next(modified(secret('2', 'hunter2')));
    secrets.next(deleted(secret('3', 'hunter2')));
    secrets.next(added(secret('4', 'hunter4')));
    const all = (await lookAt(inspector, { panel: 'objects' })) as unknown as { things: { id: number; facts: { name: string } }[] };
    const id = all.things.find(({ facts }) => facts.name === 'secrets')?.id;
    const seen = [await ask(inspector.port, '/export', tokenOf(inspector)), await lookAt(inspector, { panel: 'timeline' })];
    seen.push(await lookAt(inspector, { panel: 'objects', of: id, key: 'default/s' }));
    const texts = JSON.stringify(seen).replaceAll('by password', '');
    // The keys of a group are public by the definition of the view.
    expect(texts.replaceAll(/"(key|rows|keys)":("[^"]*"|\[[^\]]*\])/g, '')).not.toMatch(/"[^"]*hunter[^"]*":|:"[^"]*hunter/);
    expect(JSON.stringify(await lookAt(open, { panel: 'objects', of: id, key: 'default/s' }))).toContain('hunter4');
    await Promise.all([made.stop(), holder.stop(), open.close()]);
  });

  it('keeps no program running, nor does an open page', async () => {
    const root = fileURLToPath(new URL('../../../', import.meta.url));
    const program = ['--import', './workshop/tools/register-ts-node.mjs', 'packages/inspector/spec/openPage.ts'];
    const { stdout } = await promisify(execFile)(process.execPath, program, { cwd: root });
    expect(stdout).toBe('the page is open\n');
  });

  it('cuts an export off that fails, and goes on', async () => {
    class Broken extends LiveScene {
      override keys(): never {
        throw new Error('no keys');
      }
    }
    const server = new InspectorServer(new Broken({ title: 'spec', secrets: false, timelineBytes: 0 }));
    await server.listen(0);
    const exported = await fetch(`http://127.0.0.1:${server.port}/export`, { headers: tokenOf(server) });
    await expect(exported.text()).rejects.toThrow('terminated');
    expect(await ask(server.port, '/look', tokenOf(server))).toMatchObject({ status: 200 });
    await server.close();
  });

  it.each(['__proto__', 'constructor', 'nothing'])('shows nothing on a panel that it does not have: %s', async (panel) => {
    expect(await lookAt(inspector, { panel })).toMatchObject({ things: [], left: 0 });
  });

  it('adds nothing for a page that has stopped reading', async () => {
    source.next(modified(pod('a', '10', { value: 'x'.repeat(490_000) })));
    const of = await idOf();
    const server = new InspectorServer(new LiveScene({ title: 'spec', secrets: false, timelineBytes: 0 }), 200_000);
    await server.listen(0);
    const { authorization } = tokenOf(server);
    const query = encodeURIComponent(JSON.stringify({ panel: 'objects', of, key: 'default/a' }));
    const page = connect(server.port, '127.0.0.1').setEncoding('utf8');
    let text = '';
    page.on('data', (part) => (text += String(part)));
    const one = `GET /look?q=${query} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${authorization}\r\n\r\n`;
    // It requests 73 MB at once, and reads nothing before the last request.
    page.write(one.repeat(150));
    while ((text.match(/HTTP\/1\.1 \d/g) ?? []).length < 150) await once(page, 'data');
    expect((text.match(/HTTP\/1\.1 503/g) ?? []).length).toBeGreaterThan(145);
    expect((text.match(/HTTP\/1\.1 200/g) ?? []).length).toBeGreaterThan(0);
    expect(await ask(server.port, '/look', { authorization })).toMatchObject({ status: 200 });
    page.destroy();
    await server.close();
  });

  it('says that a port cannot be had', async () => {
    await expect(startInspector({ port: inspector.port })).rejects.toThrow('EADDRINUSE');
  });
});
