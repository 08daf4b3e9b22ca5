import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { webSiteDefinition } from '../../../examples/website-operator/webSiteDefinition.js';
import { resources } from '../../../src/api/resources.js';
import { runCli } from '../../../src/cli/runCli.js';
import { startApiServer, type TestApiServer } from '../../../src/testing/startApiServer.js';
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
    await server.client.create(resources.apiextensions.v1.customresourcedefinitions, webSiteDefinition);
    const ofFile = await run('examples/website-operator/crd.yaml');
    expect(ofFile.out).toContain('export const websites: Resource<WebSite>');
    expect(await run('--crd', 'WebSite', '--server', server.url)).toEqual(ofFile);
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
