import net from 'node:net';
import { domainToASCII } from 'node:url';
import { authorityOf, type ServerUrl } from '../serverUrl.js';
import { kubeconfigError } from '../requests/requestError.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The authority of a proxy's URL; undefined when there is none. */
export function proxyAuthority(url: string): ReturnType<typeof authorityOf> {
  return authorityOf(/^[a-z0-9+.-]+:\/\/([^/?#]+)/i.exec(url)?.[1] ?? '');
}

/** The protocols of a proxy outside of a kubeconfig. */
export const allProxies: RegExp = /^(https?|socks5h?):$/;

/** Returns the URL of a proxy that is supported: throws a RequestError with the URL, without the user in it, when it is another one. */
export function supportedProxy(url: string, origin: string, schemes: RegExp = /^(https?|socks5):$/): string {
  const isWhole = !/\s$|^[^?#]*%(?![0-9a-f]{2})/i.test(url);
  if (proxyAuthority(url) !== undefined && isWhole && URL.canParse(url) && schemes.test(new URL(url).protocol)) return url;
  // A password may stand anywhere in a broken URL.
  const [, scheme = '', user, host] = /^([a-z0-9+.-]+:\/\/)(.*@)?([\w.-]+(?::\d+)?)$/is.exec(url) ?? [];
  const got = host === undefined ? 'another text' : JSON.stringify(`${scheme}${user === undefined ? '' : '***@'}${host}`);
  throw kubeconfigError(`Expected ${origin} to be an http, https or socks5 URL, got ${got}`);
}

/** An address in one spelling, IPv4 within IPv6 as IPv4; undefined for names. */
export function addressOf(host: string): string | undefined {
  if (net.isIPv4(host)) return host;
  if (!net.isIPv6(host) || host.includes('%')) return undefined;
  const spelt = new URL(`http://[${host}]`).hostname.slice(1, -1);
  const [, high = '', low = ''] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(spelt) ?? [];
  if (high === '') return spelt;
  return [high, low].flatMap((part) => [parseInt(part, 16) >> 8, parseInt(part, 16) & 0xff]).join('.');
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (net.isIPv4(address) ? 'ipv4' : 'ipv6');

function isInSubnet(address: string, network: string, bits: number): boolean {
  if (familyOf(address) !== familyOf(network)) return false;
  const subnets = new net.BlockList();
  subnets.addSubnet(network, bits, familyOf(network));
  return subnets.check(address, familyOf(address));
}

interface Target {
  /** In lower case. */
  readonly host: string;
  readonly address: string | undefined;
  readonly port: string;
}

/** Whether an entry of NO_PROXY matches: `*`, an address, a subnet, or a domain with those below it, optionally with a port. */
function excludes(entry: string, { host, address, port }: Target): boolean {
  if (entry === '*') return true;
  const [, network = '', bits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(entry) ?? [];
  const base = addressOf(network);
  if (base !== undefined && Number(bits) <= (net.isIPv4(network) ? 32 : 128)) {
    // IPv4 within IPv6 is IPv4, unless the subnet is wider than that.
    const within = net.isIPv6(network) && net.isIPv4(base) ? Number(bits) - 96 : -1;
    return address !== undefined && (within < 0 ? isInSubnet(address, network, Number(bits)) : isInSubnet(address, base, within));
  }
  const [, bracketed, plain, only = ''] = /^(?:\[([^\]]*)\]|([^:[\]]*)):([^:]*)$/.exec(entry) ?? [];
  const name = bracketed ?? plain ?? entry;
  if (name === '' || (only !== '' && only !== port)) return false;
  const excluded = addressOf(name);
  // No name is part of an address.
  if (excluded !== undefined || address !== undefined) return excluded === address;
  const domain = name.replace(/^\*(?=\.)/, '');
  const below = domain.startsWith('.') ? domain : `.${domain}`;
  const ascii = /[^\u0020-\u007e]/.test(below) ? `.${domainToASCII(below.slice(1))}` : below;
  return host.endsWith(ascii) || (!domain.startsWith('.') && host === ascii.slice(1));
}

function isLoopback(address: string | undefined): boolean {
  return address === '::1' || (address !== undefined && net.isIPv4(address) && address.startsWith('127.'));
}

function variable(env: Environment, name: string): readonly [name: string, value: string] {
  const upper = env[name] ?? '';
  return upper === '' ? [name.toLowerCase(), env[name.toLowerCase()] ?? ''] : [name, upper];
}

/**
 * The proxy that the environment sets for a server: `HTTPS_PROXY` or `HTTP_PROXY` by the server's protocol, unless `NO_PROXY` matches the server, or the server
 * is this machine. Upper case wins over lower case.
 *
 * @see Go's `golang.org/x/net/http/httpproxy`
 */
export function proxyFor({ url, host, port }: ServerUrl, env: Environment): string | undefined {
  const [name, proxy] = variable(env, url.startsWith('https:') ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  if (proxy === '') return undefined;
  if (url.startsWith('http:') && (env['REQUEST_METHOD'] ?? '') !== '')
    throw kubeconfigError(
      `Expected no \`${name}\` beside \`REQUEST_METHOD\` in the environment: in a CGI program, the request may have set it`,
    );
  const address = addressOf(host);
  if (host === 'localhost' || isLoopback(address)) return undefined;
  const target = { host: (/[^\u0020-\u007e]/.test(host) ? domainToASCII(host) : host).toLowerCase(), address, port };
  const [, list] = variable(env, 'NO_PROXY');
  const entries = list.split(',').map((entry) => entry.trim().toLowerCase());
  if (entries.some((entry) => entry !== '' && excludes(entry, target))) return undefined;
  const whole = /^[a-z0-9+.-]+:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
  return supportedProxy(whole, `\`${name}\` of the environment`, allProxies);
}
