import { configOf, oneFile, type ConnectCase } from './connectCase.js';

const servers: readonly string[] = [
  'http://127.0.0.1:{plain}',
  'HTTP://127.0.0.1:{plain}',
  'http://localhost:{plain}',
  'http://LOCALHOST:{plain}',
  '127.0.0.1:{plain}',
  'localhost:{plain}',
  '127.0.0.1:{plain}/',
  '127.0.0.1:{plain}/base',
  '//127.0.0.1:{plain}',
  'http://127.0.0.1:{plain}/',
  'http://127.0.0.1:{plain}//',
  'http://127.0.0.1:{plain}/base',
  'http://127.0.0.1:{plain}/base/',
  'http://127.0.0.1:{plain}//a//b',
  'http://127.0.0.1:{plain}/a%2Fb',
  'http://127.0.0.1:{plain}/a/../b',
  'http://127.0.0.1:{plain}/./a',
  'http://127.0.0.1:{plain}/a%20b',
  'http://127.0.0.1:{plain}/a b',
  "http://127.0.0.1:{plain}/a(b)'c!*~",
  'http://127.0.0.1:{plain}/ä',
  'http://127.0.0.1:{plain}/a%zz',
  'http://127.0.0.1:{plain}/a;b=c,d@e:f&g$h+i',
  'http://127.0.0.1:{plain}?query=1',
  'http://127.0.0.1:{plain}/base?query=1',
  'http://127.0.0.1:{plain}#fragment',
  'http://127.0.0.1:{plain}/base#fragment',
  ' http://127.0.0.1:{plain}',
  'http://127.0.0.1:{plain} ',
  'http://127.0.0.1:{plain}\n',
  'http:// 127.0.0.1:{plain}',
  'http://',
  'https://',
  'http:///base',
  'http:127.0.0.1:{plain}',
  'unix:///x',
  'ftp://127.0.0.1:{plain}',
  'http://127.0.0.1:99999',
  'http://127.0.0.1:port',
  'http://127.0.0.1:-1',
  'http://user:pass@127.0.0.1:{plain}',
  'http://user@127.0.0.1:{plain}',
  'http://us%40er:p%3Ass@127.0.0.1:{plain}/base',
  'https://user:pass@127.0.0.1:{secure}',
  'https://127.0.0.1:{secure}/base/',
  'https://localhost:{secure}',
  '127.0.0.1:{secure}',
];

/** The server's URL. */
export function serverCases(): readonly ConnectCase[] {
  return servers.map((server) => {
    const trust = server.includes('{secure}') ? { 'certificate-authority-data': '{b64:root}' } : {};
    return oneFile(`server: ${JSON.stringify(server)}`, configOf({ server, ...trust }, { token: 't', as: 'alice' }));
  });
}
