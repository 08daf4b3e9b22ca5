import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCli } from '../../src/runCli.js';
import { startApiServer, type TestApiServer } from '@rx-informer/api-server';
import { FakeTerminal } from '../fakeTerminal.js';

const labels = { app: 'web' };

describe('rx-informer logs', () => {
  let server: TestApiServer;

  const put = (name: string): void => {
    const spec = { nodeName: 'n', containers: [{ name: 'main', image: 'x' }] };
    const status = {
      phase: 'Running',
      containerStatuses: [
        { name: 'main', image: 'x', imageID: '', ready: true, restartCount: 0, state: { running: { startedAt: '2026-01-01T00:00:00Z' } } },
      ],
    };
    server.objects.put({ apiVersion: 'v1', kind: 'Pod', metadata: { name, labels }, spec, status } as object);
  };

  beforeAll(async () => {
    server = await startApiServer();
    const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'x' }] } };
    const deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { selector: { matchLabels: labels }, template },
    };
    server.objects.put([deployment, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } }]);
    put('web-0');
    put('web-1');
    server.objects.log({ name: 'web-0' }, 'zero\nzero again');
    server.objects.log({ name: 'web-1' }, 'one \u001b[31mred\u001b[0m \u001b]0;title\u0007');
  });

  afterAll(() => server.close());

  const run = async (...args: readonly string[]): Promise<{ code: number; out: string; err: string }> => {
    const terminal = new FakeTerminal();
    return { code: await runCli(['logs', ...args, '--server', server.url], terminal), ...terminal.written };
  };

  it('shows the log of a pod as it is', async () => {
    expect(await run('web-0')).toEqual({ code: 0, out: 'zero\nzero again\n', err: '' });
    expect((await run('pod/web-0', '--tail', '1')).out).toBe('zero again\n');
    expect((await run('web-0', '--since', '1h', '--timestamps')).out).toMatch(/^20\d\d-\S+Z zero\n/);
  });

  it('shows those of all pods of a deployment, each line with its pod and container', async () => {
    const { out } = await run('deploy/web');
    expect(out.split('\n').filter((line) => line.startsWith('web-0 main '))).toEqual(['web-0 main zero', 'web-0 main zero again']);
    expect((await run('pods', '-l', 'app=web')).out).toBe(out);
  });

  it('lets a terminal act on nothing but colours', async () => {
    const terminal = new FakeTerminal(true);
    await runCli(['logs', 'web-1', '--server', server.url], terminal);
    expect(terminal.written.out).toBe('one \u001b[31mred\u001b[0m \\u001b]0;title\\u0007\n');
  });

  it('opens from a live table, follows, is left by Esc, and shows of a kind without pods that there are none', async () => {
    const terminal = new FakeTerminal(true);
    const shown = (): string => terminal.written.out.slice(terminal.written.out.lastIndexOf('\r'));
    const ended = runCli(['watch', 'deploy', '--server', server.url], terminal);
    await terminal.shows(/1 deployments/);
    terminal.press('l');
    await terminal.shows(/logs of default\/web[^]*web-1 main one red/);
    expect(shown()).toMatch(/Esc: back to the table/);
    server.objects.log({ name: 'web-1' }, Array.from({ length: 30 }, (_, at) => `line ${at}.`).join('\n'));
    await terminal.shows(/line 29\./);
    expect(shown()).not.toContain('line 5.');
    terminal.press('g');
    expect(shown()).toMatch(/logs of default\/web\s+web-\d main (zero|one)/);
    terminal.press('G');
    expect(shown()).toMatch(/line 29\./);
    terminal.press('\u001b');
    expect(shown()).toMatch(/NAME +READY[^]*\? for keys/);
    terminal.press('q');
    expect(await ended).toBe(0);

    const other = new FakeTerminal(true);
    const closed = runCli(['watch', 'cm', '--server', server.url], other);
    await other.shows(/1 configmaps/);
    other.press('l');
    expect(other.written.out).toContain('default/settings has no logs');
    other.press('q');
    expect(await closed).toBe(0);
  });

  it('is lines where the cursor of a terminal cannot be moved', async () => {
    const terminal = new FakeTerminal(true);
    terminal.env['TERM'] = 'dumb';
    const ended = runCli(['watch', 'deploy', '--server', server.url], terminal);
    await terminal.shows(/EVENT +NAME[^]*added +web /);
    expect(terminal.written.out).not.toContain('\u001b');
    terminal.pressInterrupt();
    expect(await ended).toBe(130);
  });

  it('follows until Ctrl-C', async () => {
    const terminal = new FakeTerminal();
    const ended = runCli(['logs', 'deploy/web', '-f', '--tail', '1', '--server', server.url], terminal);
    await terminal.shows(/web-0 main zero again/);
    server.objects.log({ name: 'web-0' }, 'more');
    await terminal.shows(/web-0 main more/);
    terminal.pressInterrupt();
    expect(await ended).toBe(130);
  });

  it.each([
    [['nothing'], 1, 'pods "nothing" not found'],
    [['cm/settings'], 1, 'cm/settings selects no pods'],
    [['deploy', '-l', 'a=b'], 2, 'expected the name of an object, as in deploy/NAME'],
    [['web-0', '--tail', 'x'], 2, 'expected a number of lines, got "x"'],
    [['web-0', '-c', 'nope'], 1, 'container nope is not valid for pod web-0'],
  ])('answers %j with exit code %i', async (args, code, message) => {
    const { code: exit, err } = await run(...args);
    expect(err).toContain(message);
    expect(exit).toBe(code);
  });
});
