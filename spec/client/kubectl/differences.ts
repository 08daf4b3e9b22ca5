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
      /^find: (a missing file alone|only empty parts|a tilde|an entry without its cluster|fields that do not mix|a KUBECONFIG that is missing, and a home|no current context|a context without a cluster|a context with an unknown cluster|an empty mapping|a cluster without a server|a cluster that is empty)$|^read: (two document marks before|comments alone)$/,
  },
  { row: 'A context names an unknown user', cases: /^find: a context with an unknown user, over http$|^read: users is null$/ },
  {
    row: 'No credentials over TLS',
    cases:
      /^read: (token is (null|empty)|the user name (null|Null|~)|a field in another case|a user that is null)$|^user: acts as .*no credentials/,
  },
  {
    row: 'A server URL that cannot be dialed',
    cases: /^server: "(http:127\.0\.0\.1:\{plain\}|ftp:\/\/127\.0\.0\.1:\{plain\}|http:\/\/127\.0\.0\.1:99999)"$/,
  },
  { row: 'A fragment behind the path of a server URL', cases: /^server: "http:\/\/127\.0\.0\.1:\{plain\}\/base#fragment"$/ },
  { row: 'An authority file that is empty', cases: /^trust: an empty file$/ },
  { row: 'Blanks around a token', cases: /^user: a token with blanks around it$|^plugin: prints a token with a line break$/ },
  { row: 'A proxy variable that is no URL of a proxy', cases: /^proxy: (another scheme|a text that is no URL)$/ },
];
