import type { ClientOptions } from './clientOptions.js';
import { similarTo } from '../api/options/similarTo.js';

type Key = keyof ClientOptions;

interface Check {
  readonly expected: string;
  readonly holds: (value: unknown) => boolean;
  /** The value may be shown in an error. */
  readonly shown?: boolean;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isHeader = (value: unknown) => isText(value) && /^[\x20-\x7e]+$/.test(value);
const areHeaders = (value: unknown) => Array.isArray(value) && value.every(isHeader);

function isServerUrl(value: unknown): boolean {
  if (!isText(value) || !URL.canParse(value)) return false;
  const { protocol, username, password, search, hash } = new URL(value);
  return /^https?:$/.test(protocol) && username + password + search + hash === '';
}

function isKubeConfig(value: unknown): boolean {
  return isObject(value) && typeof value['getCurrentCluster'] === 'function' && typeof value['applyToHTTPSOptions'] === 'function';
}

function isImpersonation(value: unknown): boolean {
  if (!isObject(value)) return isHeader(value);
  const { user, uid, groups, extra } = value;
  const extraHolds = extra === undefined || (isObject(extra) && Object.values(extra).every(areHeaders));
  return isHeader(user) && (uid === undefined || isHeader(uid)) && (groups === undefined || areHeaders(groups)) && extraHolds;
}

function pem(what: string): Check {
  return { expected: `a ${what} as PEM text (-----BEGIN ...)`, holds: (value) => isText(value) && value.includes('-----BEGIN ') };
}

const boolean: Check = { expected: 'true or false', holds: (value) => typeof value === 'boolean', shown: true };

const checks: Readonly<Record<Key, Check>> = {
  kubeConfig: { expected: 'a KubeConfig with getCurrentCluster() and applyToHTTPSOptions()', holds: isKubeConfig },
  kubeConfigFile: { expected: 'the path of a kubeconfig file', holds: isText, shown: true },
  context: { expected: 'the name of a context', holds: isText, shown: true },
  server: { expected: 'an http or https URL without user, query and fragment, such as "https://10.0.0.1:6443"', holds: isServerUrl },
  token: { expected: 'a token or a function that gives one', holds: (value) => isText(value) || typeof value === 'function' },
  ca: pem('certificate authority'),
  clientCert: pem('certificate'),
  clientKey: pem('key'),
  insecureSkipTlsVerify: boolean,
  impersonate: {
    expected: 'a user name or { user, uid?, groups?, extra? }, in characters that can stand in a header',
    holds: isImpersonation,
    shown: true,
  },
  userAgent: { expected: 'a text that can stand in a header', holds: isHeader, shown: true },
  requestTimeoutMs: { expected: 'a number of milliseconds, 0 or more', holds: (value) => isNumber(value) && value >= 0, shown: true },
  compression: boolean,
  http2: boolean,
  qps: { expected: 'a number of requests per second above 0', holds: (value) => isNumber(value) && value > 0, shown: true },
  burst: {
    expected: 'a whole number of requests, 1 or more',
    holds: (value) => Number.isInteger(value) && Number(value) >= 1,
    shown: true,
  },
  fetch: { expected: 'a function like the global fetch', holds: (value) => typeof value === 'function' },
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
  if (given('context') && given('server')) refuse('no `context` beside `server`');
  if (given('context') && given('kubeConfig')) refuse('no `context` beside `kubeConfig`; call its setCurrentContext()');
  if (given('clientCert') !== given('clientKey')) refuse('`clientCert` and `clientKey` together');
  if (given('burst') && !given('qps')) refuse('`qps` beside `burst`');
  for (const key of ofConnectionsByNode) if (given(key) && given('fetch')) refuse(`no \`${key}\` beside \`fetch\`, which cannot use it`);
}

function shown(value: unknown, check: Check): string {
  if (value === null || typeof value === 'number') return String(value);
  if (check.shown === true) return JSON.stringify(value);
  return typeof value === 'string' ? 'another text' : typeof value;
}

/**
 * Checks the options of `createClient`. No secret is shown.
 *
 * @throws TypeError that names the option, and says what was expected.
 */
export function checkClientOptions(options: ClientOptions): void {
  for (const [key, value] of Object.entries(options)) {
    const check = Object.hasOwn(checks, key) ? checks[key as Key] : undefined;
    if (check === undefined) throw new TypeError(`Expected options of createClient, got \`${key}\`${similarTo(key, Object.keys(checks))}`);
    if (value === undefined || check.holds(value)) continue;
    throw new TypeError(`Expected \`${key}\` to be ${check.expected}, got ${shown(value, check)}`);
  }
  checkTogether(options);
}
