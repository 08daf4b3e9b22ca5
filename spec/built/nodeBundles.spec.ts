import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build, type Plugin } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));

const programs = {
  'reads a kubeconfig': `
  import { createClient } from 'rx-informer';
  async function main() {
    const client = createClient({ kubeConfigFile: process.argv[2] });
    console.log(JSON.stringify(await client.getPath('/version')));
    client.close();
  }
  main();
`,
  'starts the embedded API server': `
  import { startApiServer } from '@rx-informer/api-server';
  async function main() {
    const server = await startApiServer();
    console.log(JSON.stringify({ major: (await server.client.getPath('/version')).major }));
    await server.close();
  }
  main();
`,
  'says what metrics need': `
  import { createClient } from 'rx-informer';
  import { createManager } from '@rx-informer/controller/manager';
  async function main() {
    const logger = { info: () => undefined, error: () => undefined };
    const { error } = await createManager({ client: createClient(), logger, process: false, metrics: true }).run();
    console.log(JSON.stringify({ major: error.message.endsWith('npm install prom-client') ? '1' : error.message }));
  }
  main();
`,
};

const optional: Plugin = {
  name: 'client-node-is-missing',
  setup: (building) => {
    building.onResolve({ filter: /^@kubernetes\/client-node$/ }, ({ path }) => ({ errors: [{ text: `no ${path}` }] }));
  },
};

let folder = '';
let server: http.Server;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rx-informer-bundle-'));
  server = http.createServer((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"major":"1"}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const kubeconfig = `current-context: c\ncontexts:\n- {name: c, context: {cluster: k}}\nclusters:\n- {name: k, cluster: {server: "${url}"}}\n`;
  await writeFile(join(folder, 'config'), kubeconfig);
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

describe('a program in one file for Node', () => {
  const formats = [
    ['esm', false],
    ['esm', true],
    ['cjs', false],
    ['cjs', true],
  ] as const;
  const cases = Object.entries(programs).flatMap(([does, program]) =>
    formats.map(([format, minify]) => [does, format, minify, program] as const),
  );
  it.each(cases)('builds without the optional packages, and %s: %s, minified: %s', async (_, format, minify, program) => {
    const outfile = join(folder, `${format}-${String(minify)}.${format === 'esm' ? 'mjs' : 'cjs'}`);
    await build({
      stdin: { contents: program, resolveDir: root },
      bundle: true,
      platform: 'node',
      target: 'node20',
      format,
      minify,
      outfile,
      plugins: [optional],
      // Where they are not installed, esbuild leaves them as they are, since they are imported within a `try`.
      external: ['socks'],
      alias: { 'prom-client': '/not/installed' },
      logLevel: 'silent',
    });
    const { stdout } = await promisify(execFile)(process.execPath, [outfile, join(folder, 'config')], { cwd: '/' });
    expect(JSON.parse(stdout)).toEqual({ major: '1' });
  });
});
