import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { resources, type V1CustomResourceDefinition } from 'rx-informer';
import { runCli } from '../../src/runCli.js';
import { startApiServer, type TestApiServer } from '@rx-informer/api-server';
import { FakeTerminal } from '../fakeTerminal.js';

describe('rx-informer types', () => {
  let server: TestApiServer;
  let folder: string;

  beforeAll(async () => {
    server = await startApiServer();
    folder = await mkdtemp(join(tmpdir(), 'rx-informer-'));
  });

  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  const run = async (...args: readonly string[]): Promise<{ code: number; out: string; err: string }> => {
    const terminal = new FakeTerminal();
    return { code: await runCli(['types', ...args], terminal), ...terminal.written };
  };

  it('writes the same of a file and of a server', async () => {
    const { code, err } = await run('--server', server.url);
    expect([code, err]).toEqual([1, 'rx-informer: expected a CustomResourceDefinition in the cluster, found none\n']);
    const definition = parse(await readFile('packages/cli/spec/types/website.yaml', 'utf8')) as V1CustomResourceDefinition;
    await server.client.create(resources.apiextensions.v1.customresourcedefinitions, definition);
    const ofFile = await run('packages/cli/spec/types/website.yaml');
    expect(ofFile.out).toContain('export const websites: Resource<WebSite>');
    expect(await run('--crd', 'WebSite', '--server', server.url)).toEqual(ofFile);
  });

  it('writes what a module exports as YAML, each object once, with the conversion of its webhooks', async () => {
    const file = join(folder, 'manifests/crds.yaml');
    expect(await run('--from', 'packages/cli/spec/types/guardedSites.ts', '-o', file)).toEqual({ code: 0, out: '', err: '' });
    const text = await readFile(file, 'utf8');
    expect(text).toMatch(/^# Made by rx-informer types --from packages\/cli\/spec\/types\/guardedSites.ts. Do not edit.\n/);
    const [definition, configuration, ...others] = parseAllDocuments(text).map((document) => document.toJS() as unknown);
    expect(definition).toMatchObject({ metadata: { name: 'sites.example.com' }, spec: { conversion: { strategy: 'Webhook' } } });
    expect(configuration).toMatchObject({ kind: 'ValidatingWebhookConfiguration', metadata: { name: 'guard' } });
    expect(others).toEqual([]);
    // kubectl reads `on` as a truth value.
    expect(text).toMatch(/enum:\n +- "on"\n +- "off"\n/);
    expect((await run('--from', 'packages/cli/spec/types/guardedSites.ts', '-o', file)).code).toBe(0);
  });

  it('says what is wrong with a module, and writes over no file of others', async () => {
    expect((await run('--from', 'nothing.js')).err).toMatch(/^rx-informer: cannot load nothing.js: /);
    expect((await run('--from', 'packages/cli/spec/fakeTerminal.ts')).err).toMatch(
      /expected packages\/cli\/spec\/fakeTerminal.ts to export what `defineResource`/,
    );
    expect((await run('--from', 'x.js', '--crd', 'Site')).err).toContain('expected --from without files and --crd');
    expect((await run('--from', 'packages/cli/spec/types/guardedSites.ts', '-o', 'packages/cli/spec/types/website.yaml')).err).toContain(
      'is not a file that `types --from` has made',
    );
  });

  it('writes to a file, in a new folder too, but over no other one', async () => {
    const file = join(folder, 'src/types.ts');
    for (let times = 0; times < 2; times += 1)
      expect(await run('examples/website-operator/crd.yaml', '-o', file)).toEqual({ code: 0, out: '', err: '' });
    expect(await readFile(file, 'utf8')).toContain('export interface WebSite');
    await writeFile(file, 'mine');
    const { code, err } = await run('examples/website-operator/crd.yaml', '--out', file);
    expect([code, err]).toEqual([1, expect.stringContaining('is not a file that `types` has made')]);
    expect(await readFile(file, 'utf8')).toBe('mine');
  });

  it.each([
    [['nope.yaml'], 1, 'cannot read nope.yaml: '],
    [
      ['examples/website-operator/hello.yaml'],
      1,
      'expected a CustomResourceDefinition in examples/website-operator/hello.yaml, found none',
    ],
    [['examples/website-operator/crd.yaml', '--crd', 'WebSit'], 2, 'there is no CustomResourceDefinition "WebSit"; did you mean `WebSite`'],
  ])('says in one line what is wrong with %j', async (args, code, message) => {
    const result = await run(...args);
    expect([result.code, result.out]).toEqual([code, '']);
    expect(result.err).toContain(message);
    expect(result.err.trim().split('\n')).toHaveLength(1);
  });
});
