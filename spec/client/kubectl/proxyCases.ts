import { configOf, oneFile, type ConnectCase } from './connectCase.js';

const token = { token: 't' };
const trusted = { 'certificate-authority-data': '{b64:root}' };

/** The proxies know these names, and lead all of them to the servers of this machine. */
const named = { server: 'https://api.corp.test:{secure}', ...trusted, 'tls-server-name': 'localhost' };
const open = { server: 'http://api.corp.test:{plain}' };

const credentialed: readonly string[] = [
  'http://user:@127.0.0.1:{proxy}',
  'http://:pass@127.0.0.1:{proxy}',
  'http://us:er:pass@127.0.0.1:{proxy}',
  'http://us%zz@127.0.0.1:{proxy}',
  'http://us%E4er:p%FFss@127.0.0.1:{proxy}',
  'http://@127.0.0.1:{proxy}',
  'http://127.0.0.1:{proxy}/%zz',
  'http://127.0.0.1:{proxy}?%zz',
  'http://üser:päss@127.0.0.1:{proxy}',
  'http://127.0.0.1:{proxy}/path?query#fragment',
  ' http://127.0.0.1:{proxy}',
  'http://127.0.0.1:{proxy} ',
  'http://',
  'http:///path',
  'http://[::1]:1',
  'http://127.1:{proxy}',
  'HTTPS://localhost:{tlsProxy}',
  'https://127.0.0.1:{tlsProxy}',
  'https://127.0.0.1:{proxy}',
  'http://127.0.0.1:{tlsProxy}',
  'SOCKS5://127.0.0.1:{socks}',
  'socks5://localhost:{socks}/path',
  'socks5://user@127.0.0.1:{socks}',
  'socks5://:pass@127.0.0.1:{socks}',
  'socks5://us%40er:p%3Ass@127.0.0.1:{socks}',
  'socks5://127.0.0.1:{proxy}',
  'socks5://127.0.0.1:1',
  'socks5://:@127.0.0.1:{socks}',
  'socks5://@127.0.0.1:{socks}',
  'socks://127.0.0.1:{socks}',
  'http:127.0.0.1:{proxy}',
  '//127.0.0.1:{proxy}',
];

function byKubeconfig(): readonly ConnectCase[] {
  const urls = [
    'http://127.0.0.1:{proxy}',
    'http://127.0.0.1:{proxy}/',
    'HTTP://127.0.0.1:{proxy}',
    'http://localhost:{proxy}',
    'http://us%40er:p%3Ass@127.0.0.1:{proxy}',
    'http://user@127.0.0.1:{proxy}',
    'https://localhost:{tlsProxy}',
    'https://user:pass@localhost:{tlsProxy}',
    'socks5://127.0.0.1:{socks}',
    'socks5://user:pass@127.0.0.1:{socks}',
    'socks5h://127.0.0.1:{socks}',
    'socks4://127.0.0.1:{socks}',
    'ftp://127.0.0.1:{proxy}',
    '127.0.0.1:{proxy}',
    'localhost:{proxy}',
    'http://127.0.0.1:{refusing}',
    'http://127.0.0.1:1',
    'text',
    ...credentialed,
  ];
  return urls.flatMap((url) =>
    Object.entries({ https: named, http: open, 'an address': { server: 'https://127.0.0.1:{secure}', ...trusted } }).map(
      ([what, cluster]) =>
        oneFile(`proxy: proxy-url ${url}, ${what}`, configOf({ ...cluster, 'proxy-url': url }, token), { env: { NO_PROXY: '*' } }),
    ),
  );
}

function byEnvironment(): readonly ConnectCase[] {
  const proxy = 'http://127.0.0.1:{proxy}';
  const of = (name: string, env: Readonly<Record<string, string>>, cluster = named as Readonly<Record<string, unknown>>): ConnectCase =>
    oneFile(`proxy: ${name}`, configOf(cluster, token), { env });
  return [
    of('HTTPS_PROXY', { HTTPS_PROXY: proxy }),
    of('https_proxy', { https_proxy: proxy }),
    of('both cases', { HTTPS_PROXY: proxy, https_proxy: 'http://127.0.0.1:1' }),
    of('an empty upper case', { HTTPS_PROXY: '', https_proxy: proxy }),
    of('HTTP_PROXY for https', { HTTP_PROXY: proxy }),
    of('HTTP_PROXY for http', { HTTP_PROXY: proxy }, open),
    of('http_proxy for http', { http_proxy: proxy }, open),
    of('HTTPS_PROXY for http', { HTTPS_PROXY: proxy }, open),
    of('ALL_PROXY', { ALL_PROXY: proxy }),
    of('a user', { HTTPS_PROXY: 'http://us%40er:pass@127.0.0.1:{proxy}' }),
    of('a user for http', { HTTP_PROXY: 'http://us%40er:pass@127.0.0.1:{proxy}' }, open),
    of('no scheme', { HTTPS_PROXY: '127.0.0.1:{proxy}' }),
    of('no scheme for http', { HTTP_PROXY: '127.0.0.1:{proxy}' }, open),
    of('socks5', { HTTPS_PROXY: 'socks5://127.0.0.1:{socks}' }),
    of('socks5h', { HTTPS_PROXY: 'socks5h://127.0.0.1:{socks}' }),
    of('socks5 for http', { HTTP_PROXY: 'socks5://127.0.0.1:{socks}' }, open),
    of('another scheme', { HTTPS_PROXY: 'ftp://127.0.0.1:{proxy}' }),
    of('a text that is no URL', { HTTPS_PROXY: 'http://[' }),
    of('a blank before', { HTTPS_PROXY: ` ${proxy}` }),
    of('a blank behind', { HTTPS_PROXY: `${proxy} ` }),
    of('a path', { HTTPS_PROXY: `${proxy}/path` }),
    of('a host alone, of https', { HTTPS_PROXY: 'https://localhost:{tlsProxy}' }),
    of('an upper-case scheme', { HTTPS_PROXY: 'HTTP://127.0.0.1:{proxy}' }),
    of('a user without a scheme', { HTTPS_PROXY: 'user:pass@127.0.0.1:{proxy}' }),
    of('two slashes alone', { HTTPS_PROXY: '//127.0.0.1:{proxy}' }),
    of('a name alone', { HTTPS_PROXY: 'localhost:{proxy}' }),
    of('a user of socks5', { HTTPS_PROXY: 'socks5://user:pass@127.0.0.1:{socks}' }),
    of('a user of socks5 with a long password', { HTTPS_PROXY: `socks5://u:${'p'.repeat(255)}@127.0.0.1:{socks}` }),
    of('a user of socks5 with too long a password', { HTTPS_PROXY: `socks5://u:${'p'.repeat(256)}@127.0.0.1:{socks}` }),
    of('a proxy that is not there', { HTTPS_PROXY: 'http://127.0.0.1:1' }),
    of('a proxy that refuses', { HTTPS_PROXY: 'http://127.0.0.1:{refusing}' }),
    of('a CGI program, an empty method', { HTTP_PROXY: proxy, REQUEST_METHOD: '' }, open),
    of('a CGI program', { HTTP_PROXY: proxy, REQUEST_METHOD: 'GET' }, open),
    of('a CGI program, lower case', { http_proxy: proxy, REQUEST_METHOD: 'GET' }, open),
    of('a CGI program, https', { HTTPS_PROXY: proxy, REQUEST_METHOD: 'GET' }),
    ...overTls(),
  ];
}

/** A proxy over TLS in front of a server without: nothing of the cluster's trust counts for it. */
function overTls(): readonly ConnectCase[] {
  const url = 'https://localhost:{tlsProxy}';
  const files = { 'roots.pem': '{pem:root}' };
  const roots = { SSL_CERT_FILE: '{dir}/roots.pem', SSL_CERT_DIR: '{dir}/none' };
  const byUrl = { ...open, 'proxy-url': url };
  const of = (name: string, cluster: Readonly<Record<string, unknown>>, env: Readonly<Record<string, string>>): ConnectCase =>
    oneFile(`proxy: over TLS for http, ${name}`, configOf(cluster, token), { files, env });
  return [
    of('by system roots', byUrl, roots),
    of('by system roots, in the environment', open, { ...roots, HTTP_PROXY: url }),
    of('insecure', { ...byUrl, 'insecure-skip-tls-verify': true }, {}),
    of('insecure, by system roots, with a server name', { ...byUrl, 'insecure-skip-tls-verify': true, 'tls-server-name': 'x.test' }, roots),
    of('with a server name, by system roots', { ...byUrl, 'tls-server-name': 'x.test' }, roots),
  ];
}

const excluded: readonly (readonly [entry: string, ...hosts: readonly string[]])[] = [
  ['', 'localhost', '127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', 'LOCALHOST', 'localhost.', 'x.localhost', '127.0.0.2'],
  ['*', 'api.corp.test', '10.1.2.3', '[fd00::1]'],
  ['a.test,*', 'api.corp.test'],
  ['*.*', 'api.corp.test'],
  ['corp.test', 'api.corp.test', 'corp.test', 'evilcorp.test', 'api.corp.test.', 'API.CORP.TEST'],
  ['.corp.test', 'api.corp.test', 'corp.test'],
  ['*.corp.test', 'api.corp.test', 'corp.test'],
  ['CORP.test', 'api.corp.test'],
  ['a.test, corp.test', 'api.corp.test'],
  ['a.test corp.test', 'api.corp.test'],
  ['corp.test:{plain}', 'api.corp.test'],
  ['corp.test:1', 'api.corp.test'],
  ['corp.test:', 'api.corp.test'],
  ['10.0.0.0/8', '10.1.2.3', '11.1.2.3', 'api.corp.test', '[::ffff:10.1.2.3]'],
  ['10.1.2.3', '10.1.2.3'],
  ['10.1.2.3:{plain}', '10.1.2.3'],
  ['10.1.2.3:1', '10.1.2.3'],
  ['10.1.2.', '10.1.2.3'],
  ['10.0.0.0/33', '10.1.2.3'],
  ['10.0.0.0/', '10.1.2.3'],
  ['010.1.2.3', '10.1.2.3'],
  ['fd00::1', '[fd00::1]', '[fd00:0::1]', '[FD00::1]'],
  ['fd00:0:0::1', '[fd00::1]'],
  ['[fd00::1]', '[fd00::1]'],
  ['[fd00::1]:{plain}', '[fd00::1]'],
  ['[fd00::1]:1', '[fd00::1]'],
  ['fd00::/8', '[fd00::1]', '[fe80::1]'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['::ffff:10.0.0.0/104', '10.1.2.3'],
  ['localhost', 'LOCALHOST', 'x.localhost'],
  [':{plain}', 'api.corp.test'],
  ['.', 'api.corp.test'],
  ['*.', 'api.corp.test'],
  ['größe.test', 'größe.test', 'api.größe.test'],
  ['..corp.test', 'api.corp.test'],
  ['corp.test.', 'api.corp.test', 'api.corp.test.', 'corp.test'],
  ['.corp.test.', 'api.corp.test'],
  ['*corp.test', 'api.corp.test', 'corp.test'],
  ['api.*.test', 'api.corp.test'],
  ['**', 'api.corp.test'],
  [' * ', 'api.corp.test'],
  ['*:{plain}', 'api.corp.test'],
  ['*:1', 'api.corp.test'],
  ['.corp.test:{plain}', 'api.corp.test', 'corp.test'],
  ['*.corp.test:{plain}', 'api.corp.test', 'corp.test'],
  ['.corp.test:1', 'api.corp.test'],
  ['http://api.corp.test', 'api.corp.test'],
  ['api.corp.test/', 'api.corp.test'],
  ['corp.test;a.test', 'api.corp.test'],
  ['\tcorp.test\t', 'api.corp.test'],
  [',,corp.test,', 'api.corp.test'],
  ['test', 'api.corp.test', 'test', 'atest'],
  ['corp', 'api.corp.test'],
  ['corp_test', 'corp_test', 'a.corp_test'],
  ['corp.test:http', 'api.corp.test'],
  ['corp.test:0{plain}', 'api.corp.test'],
  ['corp.test:{plain}:1', 'api.corp.test'],
  ['fe80::1', '[fe80::1%25eth0]', '[fe80::1]'],
  ['fe80::1%eth0', '[fe80::1%25eth0]', '[fe80::1]'],
  ['[fe80::1%eth0]:{plain}', '[fe80::1%25eth0]'],
  ['fe80::/10', '[fe80::1%25eth0]'],
  ['::/0', '[fd00::1]', '10.1.2.3', 'api.corp.test'],
  ['0.0.0.0/0', '10.1.2.3', '[fd00::1]', '[::ffff:10.1.2.3]'],
  ['10.1.2.3/8', '10.9.9.9'],
  ['10.0.0.0/8:{plain}', '10.1.2.3'],
  ['10.0.0.0/08', '10.1.2.3'],
  ['10.0.0.0/+8', '10.1.2.3'],
  ['10.0.0/8', '10.1.2.3'],
  ['10/8', '10.1.2.3'],
  ['.10.1.2.3', '10.1.2.3'],
  ['*.1.2.3', '10.1.2.3'],
  ['1.2.3', '10.1.2.3'],
  ['10.1.2.3.', '10.1.2.3', '10.1.2.3.'],
  ['10.1.2', '10.1.2', '10.1.2.3'],
  ['::FFFF:a01:203', '10.1.2.3'],
  ['::10.1.2.3', '[::a01:203]'],
  ['[10.1.2.3]:{plain}', '10.1.2.3'],
  ['[corp.test]:{plain}', 'api.corp.test'],
  ['fd00::/129', '[fd00::1]'],
  ['fd00::1/8', '[fd12::1]'],
  ['[fd00::]/8', '[fd00::1]'],
  ['xn--gre-6ka8i.test', 'größe.test'],
  ['GRÖSSE.test', 'grösse.test'],
];

/** Servers whose port is the protocol's own, and lists in the other variable. */
function byDefaultPort(): readonly ConnectCase[] {
  const HTTP_PROXY = 'http://127.0.0.1:{proxy}';
  const of = (name: string, server: string, env: Readonly<Record<string, string>>): ConnectCase =>
    oneFile(`proxy: ${name}`, configOf({ server }), { env: { HTTP_PROXY, HTTPS_PROXY: HTTP_PROXY, ...env }, onlyProxy: true });
  return [
    ...['corp.test:80', 'corp.test:443', 'corp.test:8080'].flatMap((NO_PROXY) =>
      ['http://api.corp.test', 'HTTP://API.corp.test:', 'https://api.corp.test', 'api.corp.test'].map((server) =>
        of(`NO_PROXY=${NO_PROXY} for ${server}`, server, { NO_PROXY }),
      ),
    ),
    of('no_proxy', 'http://api.corp.test', { no_proxy: 'corp.test' }),
    of('no_proxy beside NO_PROXY', 'http://api.corp.test', { NO_PROXY: 'a.test', no_proxy: 'corp.test' }),
    of('no_proxy beside an empty NO_PROXY', 'http://api.corp.test', { NO_PROXY: '', no_proxy: 'corp.test' }),
    of('No_Proxy', 'http://api.corp.test', { No_Proxy: 'corp.test' }),
  ];
}

function byNoProxy(): readonly ConnectCase[] {
  return excluded.flatMap(([entry, ...hosts]) =>
    hosts.map((host) =>
      oneFile(`proxy: NO_PROXY=${entry} for ${host}`, configOf({ server: `http://${host}:{plain}` }), {
        env: { HTTP_PROXY: 'http://127.0.0.1:{proxy}', NO_PROXY: entry },
        onlyProxy: true,
      }),
    ),
  );
}

/** Through which proxy the server is reached. */
export function proxyCases(): readonly ConnectCase[] {
  return [...byKubeconfig(), ...byEnvironment(), ...byNoProxy(), ...byDefaultPort()];
}
