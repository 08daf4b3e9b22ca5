import type { OptionRule } from '../api/optionRules.js';
import { checkOptions, type OptionRules, rules } from '../api/options.js';
import { impersonating, serverCredentials } from './auth/credentials.js';
import { type ClientOptions, fetchRules, isText, isUtf8Header } from './clientOptions.js';
import { createKubeClient } from './createKubeClient.js';
import type { KubeClient } from './kubeClient.js';
import { serverUrl } from './serverUrl.js';
import { connectByFetch } from './requests/fetchTransport.js';
import { asksForIdentity } from './requests/watchLimit.js';

type Key = keyof ClientOptions;

const areHeaders = (value: unknown): boolean => Array.isArray(value) && value.every(isUtf8Header);

function isImpersonation(value: unknown): boolean {
  if (!rules.object.holds(value)) return isUtf8Header(value);
  const { user, uid, groups, extra, ...unknown } = value as Readonly<Record<string, unknown>>;
  if (Object.keys(unknown).length > 0) return false;
  const extraHolds = extra === undefined || (rules.object.holds(extra) && Object.values(extra as object).every(areHeaders));
  return isUtf8Header(user) && (uid === undefined || isUtf8Header(uid)) && (groups === undefined || areHeaders(groups)) && extraHolds;
}

const text = (expected: string): OptionRule => ({ expected, holds: isText });

const pem = (what: string): OptionRule => ({
  expected: `a ${what} as PEM text (-----BEGIN ...)`,
  holds: (value) => isText(value) && value.includes('-----BEGIN '),
  secret: true,
});

const clientRules: OptionRules<ClientOptions> = {
  ...fetchRules,
  server: { ...fetchRules.server, holds: (value) => isText(value) && serverUrl(value)?.isPlain === true },
  impersonate: {
    expected: 'a user name or { user, uid?, groups?, extra? }, in one line each',
    holds: isImpersonation,
  },
  kubeConfig: { ...rules.withMethods('getCurrentCluster', 'applyToHTTPSOptions'), secret: true },
  kubeConfigFile: text('the path of a kubeconfig file'),
  context: text('the name of a context'),
  credentials: rules.withMethods('login'),
  ca: pem('certificate authority'),
  clientCert: pem('certificate'),
  clientKey: pem('key'),
  insecureSkipTlsVerify: rules.boolean,
  http2: rules.boolean,
};

const needsServer: readonly Key[] = ['token', 'ca', 'clientCert', 'clientKey', 'insecureSkipTlsVerify', 'fetch'];
const ofConnectionsByNode: readonly Key[] = ['ca', 'clientCert', 'clientKey', 'insecureSkipTlsVerify'];

function checkTogether(options: ClientOptions): void {
  const given = (key: Key) => options[key] !== undefined;
  const refuse = (expected: string) => {
    throw new TypeError(`Expected ${expected}`);
  };
  const sources = (['server', 'kubeConfig', 'kubeConfigFile'] as const).filter(given);
  if (sources.length > 1)
    refuse(`one of \`server\`, \`kubeConfig\` and \`kubeConfigFile\`, got ${sources.map((key) => `\`${key}\``).join(' and ')}`);
  for (const key of needsServer) if (given(key) && !given('server')) refuse(`\`server\` beside \`${key}\`; a kubeconfig has its own`);
  for (const key of ['server', 'kubeConfig'] as const)
    if (given('credentials') && given(key)) refuse(`no \`credentials\` beside \`${key}\`; they are for the users of kubeconfig files`);
  if (given('context') && given('server')) refuse('no `context` beside `server`');
  if (given('context') && given('kubeConfig')) refuse('no `context` beside `kubeConfig`; call its setCurrentContext()');
  if (given('clientCert') !== given('clientKey')) refuse('`clientCert` and `clientKey` together');
  if (given('burst') && !given('qps')) refuse('`qps` beside `burst`');
  for (const key of ofConnectionsByNode) if (given(key) && given('fetch')) refuse(`no \`${key}\` beside \`fetch\`, which cannot use it`);
}

/** Checks the options of `createClient`: throws a TypeError that names the option and what was expected, and shows no secret. */
export function checkClientOptions(options: ClientOptions): void {
  // A string may be a URL with a password in it, so it is not quoted.
  if (typeof options !== 'object') {
    throw new TypeError(
      `Expected the options of \`createClient\` to be an object such as { server: 'https://10.0.0.1:6443' }, got a ${typeof options}`,
    );
  }
  checkOptions('createClient', options, clientRules);
  checkTogether(options);
}

const defaultUserAgent = 'rx-informer';

/** Whether this is Node, or something that has Node's modules. */
function hasNode(): boolean {
  return typeof (globalThis as { process?: { versions?: { node?: unknown } } }).process?.versions?.node === 'string';
}

function checkRepeatedHeaders({ impersonate }: ClientOptions): void {
  if (typeof impersonate !== 'object') return;
  const several = [impersonate.groups ?? [], ...Object.values(impersonate.extra ?? {})].some((values) => values.length > 1);
  if (several)
    throw new TypeError('Expected at most one group, and one value of each `extra`, in `impersonate`: fetch cannot repeat a header');
}

/**
 * Makes a client for one API server.
 *
 * Nothing is read or sent before the first request. Then the cluster is found as kubectl finds it: in the files of `KUBECONFIG`, else in `~/.kube/config`,
 * else as the service account of the pod; `server` or `kubeConfig` override that. Credentials are read again for every request, so tokens, certificates and
 * credential plugins may change at any time. After a 401 they are all read again, once, and the request is repeated.
 *
 * @example
 * ```ts
 * import { createClient, resources } from 'rx-informer';
 *
 * const client = createClient({ context: 'kind-kind' });
 * const { items } = await client.list(resources.core.v1.pods, { namespace: 'default' });
 * console.log(items.length);
 * client.close();
 * ```
 *
 * @throws TypeError when an option is wrong or does not fit the others.
 * @see client-go's `clientcmd.BuildConfigFromFlags` and `kubernetes.NewForConfig`
 */
export function createClient(options: ClientOptions = {}): KubeClient {
  checkClientOptions(options);
  const usesFetch = options.fetch !== undefined || !hasNode();
  if (usesFetch) checkRepeatedHeaders(options);
  // Loaded when it is needed, so that a bundle for browsers can leave it out.
  const connect = usesFetch
    ? connectByFetch(options, impersonating(serverCredentials(options), options.impersonate))
    : async () => (await import('./node/connectNode.js')).connectNode(options);
  // In a browser a `User-Agent` header would have to be allowed by CORS.
  const userAgent = options.userAgent ?? (hasNode() ? defaultUserAgent : undefined);
  return createKubeClient({ ...options, userAgent, connect, watchList: !usesFetch || asksForIdentity() });
}
