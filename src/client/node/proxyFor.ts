import net from 'node:net';

type Environment = Readonly<Record<string, string | undefined>>;

function variable(env: Environment, name: string): string {
  return env[name] || env[name.toLowerCase()] || '';
}

function isInSubnet(host: string, subnet: string): boolean {
  const [network = '', bits = ''] = subnet.split('/');
  const family = net.isIPv6(network) ? 'ipv6' : 'ipv4';
  if (net.isIP(network) === 0 || net.isIP(host) !== net.isIP(network) || !/^\d+$/.test(bits)) return false;
  const subnets = new net.BlockList();
  subnets.addSubnet(network, Number(bits), family);
  return subnets.check(host, family);
}

/** Whether an entry of NO_PROXY matches this host: `*`, an address, a subnet, or a domain with its subdomains, optionally with a port. */
function excludes(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return isInSubnet(host, entry);
  const [, name = entry, only = ''] = /^(.*?|\[.*\]):(\d+)$/.exec(entry) ?? [];
  if (only !== '' && only !== port) return false;
  const domain = name.replace(/^\[|\]$/g, '').replace(/^\*?\./, '');
  return host.endsWith(`.${domain}`) || (host === domain && !entry.startsWith('.') && !entry.startsWith('*.'));
}

/**
 * The proxy that the environment sets for a server: `HTTPS_PROXY` or `HTTP_PROXY` by the server's protocol, unless `NO_PROXY` matches the server, or the server
 * is this machine. Upper case wins over lower case.
 *
 * @see Go's `golang.org/x/net/http/httpproxy`
 */
export function proxyFor(server: string, env: Environment): string | undefined {
  const { protocol, hostname, port } = new URL(server);
  const proxy = variable(env, protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  if (proxy === '') return undefined;
  const host = hostname.replace(/^\[|\]$/g, '');
  if (host === 'localhost' || host === '::1' || (net.isIPv4(host) && host.startsWith('127.'))) return undefined;
  const entries = variable(env, 'NO_PROXY')
    .toLowerCase()
    .split(/[\s,]+/);
  const effectivePort = port !== '' ? port : protocol === 'https:' ? '443' : '80';
  if (entries.some((entry) => entry !== '' && excludes(entry, host, effectivePort))) return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}
