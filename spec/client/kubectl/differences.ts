/** A case, or several, in which kubectl and this library differ on purpose, and the row of docs/differences.md that says why. */
interface Difference {
  readonly cases: RegExp;
  readonly row: string;
}

/** All differences from kubectl in connecting. */
export const differences: readonly Difference[] = [
  {
    row: 'No cluster is found',
    cases:
      /^find: (a missing file alone|only empty parts|a tilde|an entry without its cluster|fields that do not mix|a KUBECONFIG that is missing, and a home|no current context|a context without a cluster|a context with an unknown cluster|an empty mapping|a cluster without a server|a cluster that is empty|a blank (before|behind) a file|quotes around a file|a (semicolon|comma) between files|a context that is (empty first|null)|a cluster alone)$|^read: (two document marks before|comments alone)$/,
  },
  { row: 'A context names an unknown user', cases: /^find: a context with an unknown user, over http$|^read: users is null$/ },
  {
    row: 'No credentials over TLS',
    cases:
      /^read: (token is (null|empty)|the user name (null|Null|~)|a field in another case|a user that is null)$|^find: a user that is empty first$|^user: acts as .*no credentials/,
  },
  {
    row: 'A server URL or `proxy-url` that cannot be dialed',
    cases:
      /^server: "(http:127\.0\.0\.1:\{plain\}|ftp:\/\/.*|http:\/\/127\.0\.0\.1:99999|http:\/\/(127\.1|2130706433|0x7f000001|0177\.0\.0\.1|127\.0\.0\.1\.):\{plain\}|(http2|ws):\/\/.*|http:\\{4}127.*|\/)"$|^proxy: NO_PROXY=\S+ for (10\.1\.2\.3\.|10\.1\.2)$|^proxy: proxy-url (http:\/\/|http:\/\/\/path|http:\/\/127\.1:\{proxy\}|http:127\.0\.0\.1:\{proxy\}), /,
  },
  { row: 'A server URL without a host, or with an IPv6 zone', cases: /^server: ":\{plain\}"$|\[fe80::1%25\w+\](:1")?$/ },
  { row: 'A fragment behind the path of a server URL', cases: /^server: "http:\/\/127\.0\.0\.1:\{plain\}\/(base#fragment|a#|a#%zz)"$/ },
  { row: 'An authority file that is empty', cases: /^trust: an empty file$/ },
  {
    row: 'Blanks around a token',
    cases:
      /^user: a token (with blanks around it|with a line break behind|file with a byte order mark)$|^plugin: prints a token (with a line break|with blanks around|of a blank)$/,
  },
  {
    row: 'A token with blanks or letters outside ASCII',
    cases: /^user: a token (with a (blank|tab) within|outside ASCII|file outside ASCII)$|^plugin: prints a token outside ASCII$/,
  },
  {
    row: 'A proxy variable that is no URL of a proxy',
    cases: /^proxy: (another scheme|a text that is no URL|a blank (before|behind)|two slashes alone)$/,
  },
  {
    row: 'A SOCKS proxy with a user that does not fit in its protocol',
    cases: /^proxy: (proxy-url socks5:\/\/(:\w*)?@|a user of socks5 with too long)/,
  },
  {
    row: 'YAML that other parsers read: `%YAML 1.2`, `\\/`',
    cases: /^read: (an escaped (slash|pair)|a directive of|a line of a tab|an anchor with|a long key)/,
  },
  { row: 'Lines in brackets or quotes without indentation', cases: /^read: (brackets|quotes) over/ },
  { row: 'A plugin whose credential has ended', cases: /^plugin: prints a time in the past/ },
];
