import { execFile } from 'node:child_process';
import { createKubeClient } from '../../../src/client/createKubeClient.js';
import { connectNode } from '../../../src/client/node/connectNode.js';
import type { ConnectCase } from './connectCase.js';
import { type Prepared, remove, type Seen, type World } from './world.js';

/** How a connection ended: with an answer, or the class of its refusal. */
export type Ending =
  'answer' | 'config' | 'credentials' | 'trust' | 'proxy' | 'connection' | 'default' | 'prompt' | 'proxied' | 'direct' | 'other';

export interface Outcome extends Seen {
  readonly ending: Ending;
}

const clean = (env: Readonly<Record<string, string>>, { dir }: Prepared): NodeJS.ProcessEnv => ({
  PATH: '/usr/bin:/bin',
  HOME: dir,
  KUBERC: 'off',
  ...env,
});

function classOf(text: string, classes: readonly (readonly [Ending, RegExp])[]): Ending {
  return classes.find(([, pattern]) => pattern.test(text))?.[0] ?? 'other';
}

const ours: readonly (readonly [Ending, RegExp])[] = [
  ['config', /^ERR_KUBECONFIG/],
  ['credentials', /^ERR_CREDENTIALS|ERR_INVALID_CHAR/],
  ['proxy', /^ERR_PROXY/],
  ['trust', /CERT|SIGNED|UNABLE_TO|ISSUER/],
  ['connection', /^(ECONN|ENOTFOUND|EAI_AGAIN|EHOST|ENET|ETIMEDOUT|EPROTO|ERR_TIMEOUT|EINVAL|EADDR)/],
];

const theirs: readonly (readonly [Ending, RegExp])[] = [
  // Without a cluster, kubectl goes there.
  ['default', /localhost:8080 was refused|localhost:8080\/version/],
  // Without credentials it asks for some, and there is nobody.
  ['prompt', /Please enter (Username|Password)|^error: EOF/m],
  ['credentials', /getting credentials|exec plugin: (?!invalid apiVersion)|invalid header field value|failed to read token file/],
  [
    'config',
    /unable to load root certificates|refusing to use HTTP_PROXY|tls: (failed to find|private key|found a|no application)|exec plugin: invalid apiVersion/,
  ],
  ['config', /invalid (character|URL escape)|invalid control character/],
  ['trust', /x509:|tls: failed to verify/],
  ['proxy', /proxyconnect|Proxy Authentication|socks connect|server: No$/m],
  [
    'connection',
    /dial tcp|lookup|connection refused|unsupported protocol scheme|timeout|reset by peer|EOF|HTTP response to HTTPS|no route|unknown (network|scheme)|was refused/,
  ],
  ['config', /^error: |Error in configuration|Missing or incomplete|error loading config/im],
];

/** Whether a proxy is asked, and nothing else. */
function wayOf(isProxied: boolean): Outcome {
  return { ending: isProxied ? 'proxied' : 'direct', requests: [], proxies: [], plugin: [] };
}

/** What a client of this library does in a case. */
export async function outcomeHere(world: World, given: ConnectCase): Promise<Outcome> {
  const prepared = world.prepare(given);
  const { kubeconfig, context, env } = prepared;
  const options = { ...(kubeconfig !== undefined && { kubeConfigFile: kubeconfig }), ...(context !== undefined && { context }) };
  const where = { env: clean(env, prepared), home: prepared.dir, serviceAccount: '/nowhere' };
  if (given.onlyProxy === true) {
    try {
      const { transport } = await connectNode(options, where);
      const { proxy } = await transport.credentials.get();
      transport.close();
      return wayOf(proxy !== undefined);
    } catch {
      return { ...wayOf(false), ending: 'config' };
    } finally {
      remove(prepared);
    }
  }
  // A plugin is given the variables of this process.
  const { env: real } = process;
  process.env = where.env;
  const client = createKubeClient({
    requestTimeoutMs: 5_000,
    connect: () => connectNode(options, where),
  });
  let ending: Ending = 'answer';
  try {
    await client.getPath('/version');
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    ending = classOf(`${code} ${message}`, ours);
  }
  client.close();
  process.env = real;
  const seen = world.result(prepared);
  remove(prepared);
  return { ending, ...seen };
}

/** What kubectl does in a case. */
export async function outcomeOfKubectl(world: World, given: ConnectCase, program: string): Promise<Outcome> {
  const prepared = world.prepare(given);
  const { kubeconfig, context, env } = prepared;
  const flags = [
    ...(kubeconfig === undefined ? [] : ['--kubeconfig', kubeconfig]),
    ...(context === undefined ? [] : ['--context', context]),
  ];
  const args = ['version', '-o', 'json', '--request-timeout', given.onlyProxy === true ? '1s' : '5s', ...flags];
  const [code, stderr] = await new Promise<[number, string]>((resolve) => {
    const child = execFile(program, args, { env: clean(env, prepared), timeout: 20_000, cwd: prepared.dir }, (error, _stdout, text) =>
      resolve([error === null ? 0 : 1, text]),
    );
    child.stdin?.end();
  });
  const seen = world.result(prepared);
  remove(prepared);
  if (given.onlyProxy === true) return wayOf(seen.proxies.length > 0);
  return { ending: code === 0 && seen.requests.length > 0 ? 'answer' : classOf(stderr, theirs), ...seen };
}
