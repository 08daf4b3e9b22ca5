import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A CommonJS program with an informer and a view. The relay and the inspector are ES modules, and bring their own copy of `rx-informer`. */
const program = `
  const { createServer } = require('node:http');
  const { createInformer, createClient, resources } = require('rx-informer');
  const { derive } = require('@rx-informer/views');
  const { startApiServer } = require('@rx-informer/api-server');

  (async () => {
    const { createRelay } = await import('@rx-informer/relay');
    const { relaySource } = await import('@rx-informer/relay/client');
    const { startInspector } = await import('@rx-informer/inspector');
    const { pods } = resources.core.v1;
    const server = await startApiServer();
    const metadata = (name) => ({ name, namespace: 'default' });
    const spec = { containers: [{ name: 'main', image: 'nginx' }] };
    await server.client.create(pods, { metadata: metadata('web'), spec });
    const collection = createInformer(server.client, pods, { name: 'pods of CommonJS' });
    const names = derive(collection, (pod) => ({ name: pod.metadata.name }), { name: 'names of CommonJS' });
    await names.whenSynced();
    const relay = createRelay({
      sources: { pods: { collection, resource: pods }, names: { collection: names, inputs: ['pods'] } },
      authenticate: () => ({ name: 'somebody' }),
      authorize: { review: (user, { resource, namespace }) => [resource === 'pods' && namespace === ''] },
    });
    const pages = createServer((request, response) => relay.handle(request, response));
    await new Promise((listening) => pages.listen(0, '127.0.0.1', listening));
    const page = createInformer(relaySource('http://127.0.0.1:' + pages.address().port, { view: 'names' }));
    await page.whenSynced({ timeoutMs: 20_000 });
    const inspector = await startInspector();
    const token = new URL(inspector.url).hash.slice('#token='.length);
    const address = 'http://127.0.0.1:' + inspector.port + '/look?q=' + encodeURIComponent('{"panel":"objects"}');
    const looked = await (await fetch(address, { headers: { authorization: 'Bearer ' + token } })).json();
    console.log(JSON.stringify({ values: [...page.indexer.list()], things: looked.things.map(({ facts }) => facts.name) }));
    process.exit(0);
  })().catch((error) => {
    console.error(error);
    process.exit(1);
  });
`;

it('does not matter to the relay and the inspector: they see the informers of a CommonJS program', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=commonjs', '--eval', program], { cwd: root });

  expect(JSON.parse(stdout)).toEqual({
    values: [{ name: 'web' }],
    things: expect.arrayContaining(['pods of CommonJS', 'names of CommonJS']) as unknown,
  });
}, 60_000);
