import { afterEach, describe, expect, it } from '@jest/globals';
import { resources } from 'rx-informer';
import { runCli } from '../src/runCli.js';
import { kubeconfigOf } from '../../api-server/src/kubeconfigOf.js';
import { type ApiServerOptions, startApiServer, type TestApiServer } from '@rx-informer/api-server';
import { writeTemporaryFile } from '../../api-server/src/temporaryFile.js';
import { FakeTerminal } from './fakeTerminal.js';

describe('rx-informer watch, where not everybody may do everything', () => {
  let server: TestApiServer;
  const cleanUps: (() => Promise<unknown>)[] = [];
  afterEach(() => Promise.all(cleanUps.splice(0).map((cleanUp) => cleanUp())));

  /** Over TLS by default: without it, the credentials of a kubeconfig are not sent, as with kubectl. */
  const start = async (auth: NonNullable<ApiServerOptions['auth']>, tls = true): Promise<void> => {
    server = await startApiServer({ tls, auth: { tokens: { secret: { name: 'root', groups: ['system:masters'] } }, ...auth } });
    cleanUps.push(() => server.close());
  };
  /** The arguments that watch pods with a token, from a kubeconfig as users have it. */
  const watching = async (token: string): Promise<readonly string[]> => {
    const file = await writeTemporaryFile(
      'kubeconfig',
      kubeconfigOf(server.url, { token, ...(server.credentials.ca !== undefined && { ca: server.credentials.ca }) }),
    );
    cleanUps.push(() => file.remove());
    return ['watch', 'pods', '--kubeconfig', file.path];
  };
  const run = async (args: readonly string[]): Promise<{ code: number; out: string; err: string }> => {
    const terminal = new FakeTerminal();
    return { code: await runCli(args, terminal), ...terminal.written };
  };

  it('says that the credentials are refused', async () => {
    await start({});
    expect(await run(await watching('wrong'))).toEqual({
      code: 1,
      out: '',
      err: 'rx-informer: the server refused the credentials (401); expected a valid, unexpired token or client certificate\n',
    });
  });

  it('says so too where nobody is let in without credentials', async () => {
    await start({ anonymous: false }, false);
    const { code, err } = await run(['watch', 'pods', '--server', server.url]);
    expect([code, err]).toEqual([1, expect.stringMatching(/^rx-informer: the server refused the credentials \(401\).*\n$/)]);
  });

  it('says who is not allowed to do what', async () => {
    const reading = ['list', 'watch'];
    await start({ tokens: { b: 'bob' }, authorize: ({ name }, { verb }) => name !== 'bob' || !reading.includes(verb) });
    expect(await run(await watching('b'))).toEqual({
      code: 1,
      out: '',
      err: 'rx-informer: not allowed (403): pods is forbidden: User "bob" cannot list resource "pods" in API group "" in the namespace "default"\n',
    });
  });

  it('shows that the credentials are refused from now on, and goes on when they are accepted again', async () => {
    await start({ tokens: { b: 'bob' } });
    const terminal = new FakeTerminal(true);
    const ended = runCli(await watching('b'), terminal);
    await terminal.shows(/live at resource version/);
    server.tokens.delete('b');
    server.faults.endWatches();
    await terminal.shows(/reconnecting.*the server refused the credentials \(401\)/);
    server.tokens.set('b', { name: 'bob', groups: [] });
    server.objects.put({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'late' } });
    await terminal.shows(/late.*live at resource version/s);
    expect(terminal.written.out).not.toContain('Bearer');
    terminal.pressInterrupt();
    expect(await ended).toBe(130);
    expect((await server.client.list(resources.core.v1.pods)).items).toHaveLength(1);
  });
});
