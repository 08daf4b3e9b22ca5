import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import ts from 'typescript';
import { entries, folderOf } from '../../workshop/tools/houses.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a script in a separate process, where `rx-informer` is the built package; resolves with the JSON that it printed. */
async function runScript(type: 'module' | 'commonjs', script: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [`--input-type=${type}`, '--eval', script], { cwd: root });
  return JSON.parse(stdout);
}

describe.each(entries)('$name as built', ({ name: entry, hasCommonJs }) => {
  it('exports the same names to ES modules and to CommonJS', async () => {
    const [esm, cjs] = await Promise.all([
      runScript('module', `console.log(JSON.stringify(Object.keys(await import('${entry}')).sort()))`),
      runScript('commonjs', `console.log(JSON.stringify(Object.keys(require('${entry}')).sort()))`),
    ]);
    const names = (cjs as string[]).filter((name) => name !== '__esModule' && name !== 'module.exports');

    expect(hasCommonJs ? cjs : names).toEqual(esm);
  });

  it('is bundled without a warning', async () => {
    const contents = `export * from '${entry}';`;

    const { warnings } = await build({
      stdin: { contents, resolveDir: root },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
      external: [
        'immer',
        'yaml',
        'commander',
        'react',
        'prom-client',
        '@opentelemetry/api',
        '@marcbachmann/cel-js',
        're2js',
        'rxjs',
        '@kubernetes/client-node',
      ],
      logLevel: 'silent',
    });

    expect(warnings).toEqual([]);
  });
});

describe('rx-informer as built', () => {
  it('is few files: loading 35 of them took half as long again', async () => {
    const { metafile } = await build({
      entryPoints: [join(root, 'dist/esm/index.js')],
      bundle: true,
      splitting: true,
      outdir: 'out',
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
    });
    const loaded = new Set<string>();
    const load = (file: string): void => {
      if (loaded.has(file)) return;
      loaded.add(file);
      for (const { path, kind, external } of metafile.inputs[file]?.imports ?? []) {
        if (external !== true && kind === 'import-statement') load(path);
      }
    };
    load('dist/esm/index.js');

    expect([...loaded]).toContain('dist/esm/index.js');
    expect(loaded.size).toBeGreaterThan(1);
    expect(loaded.size).toBeLessThanOrEqual(8);
  });
});

describe('loadClientNode as built', () => {
  it.each(['esm', 'cjs'])('imports @kubernetes/client-node (%s)', async (format) => {
    const script = `
      import('./dist/${format}/clientNode/loadClientNode.js').then(async ({ loadClientNode }) => {
        console.log(JSON.stringify((await loadClientNode()) === (await import('@kubernetes/client-node'))));
      })`;

    expect(await runScript('commonjs', script)).toBe(true);
  });

  it('is no require() in CommonJS', async () => {
    const script = `console.log(JSON.stringify(require('./dist/cjs/clientNode/loadClientNode.js').loadClientNode.toString()))`;

    expect(await runScript('commonjs', script)).not.toContain('require');
  });

  it.each([
    ['module', "await import('rx-informer')"],
    ['commonjs', "require('rx-informer')"],
  ] as const)('is what a client of a cluster behind a proxy loads (%s)', async (type, rxInformer) => {
    const kubeConfig = {
      clusters: [{ name: 'nowhere', cluster: { server: 'http://127.0.0.1:1', 'proxy-url': 'http://127.0.0.1:2' } }],
      contexts: [{ name: 'nowhere', context: { cluster: 'nowhere', user: 'nobody' } }],
      users: [{ name: 'nobody', user: {} }],
      'current-context': 'nowhere',
    };
    const file = join(await mkdtemp(join(tmpdir(), 'rx-informer-built-')), 'config');
    await writeFile(file, JSON.stringify(kubeConfig));
    const script = `(async () => {
      process.env.KUBECONFIG = ${JSON.stringify(file)};
      const { createClient, resources } = ${rxInformer};
      const error = await createClient().list(resources.core.v1.pods).catch((error) => error);
      console.log(JSON.stringify(String(error.cause ?? error)));
    })()`;

    expect(await runScript(type, script)).toContain('ECONNREFUSED 127.0.0.1:2');
  });
});

/** The optional peers that a declaration file names, or one that it imports. */
function peersIn(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const modules = ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles.map(({ fileName }) => fileName);
  return modules.flatMap((name) =>
    name.startsWith('.')
      ? peersIn(join(dirname(file), name.replace(/\.js$/, '.d.ts')), seen)
      : optionalPeers.filter((peer) => peer === name),
  );
}

const optionalPeers = ['@kubernetes/client-node', '@opentelemetry/api', '@peculiar/x509', 'prom-client', 'react', 'socks'];

describe('the declarations of all entries', () => {
  // A program with `skipLibCheck: false` has to install them.
  it.each(entries)('name only the optional peers that are for $name', ({ name, house, file }) => {
    const peers = {
      '@rx-informer/controller/metrics': ['prom-client'],
      '@rx-informer/controller/opentelemetry': ['@opentelemetry/api'],
      '@rx-informer/relay/react': ['react'],
    }[name];

    expect([...new Set(peersIn(join(folderOf(house), 'dist/esm', `${file}.d.ts`)))]).toEqual(peers ?? []);
  });

  // A declaration file must not refer to names that are stripped from another one: programs with `skipLibCheck: false` could not be
  // compiled.
  it.each(['mts', 'cts'])('stand on their own for .%s', async (ending) => {
    const folder = await mkdtemp(join(root, 'reports/entries-'));
    const lines = entries
      .filter(({ hasCommonJs }) => hasCommonJs || ending === 'mts')
      .map(({ name }, at) => `export * as entry${at} from '${name}';`);
    const file = join(folder, `all.${ending}`);
    await writeFile(file, lines.join('\n'));
    const options = ['--ignoreConfig', '--noEmit', '--skipLibCheck', 'false', '--strict', '--exactOptionalPropertyTypes'];
    const forNode = ['--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
    const checked = promisify(execFile)(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...options, ...forNode, file], {
      cwd: root,
    });
    const said = await checked.catch((error: unknown) => error as { readonly stdout: string });
    await rm(folder, { recursive: true });
    expect(said.stdout).toBe('');
  });
});
