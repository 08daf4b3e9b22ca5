import { isIP } from 'node:net';

/** The syntax of names: subdomains for most kinds. */
export type NameSyntax = 'address' | 'subdomain' | 'label' | 'label1035' | 'path' | 'labelValue';

interface Syntax {
  readonly pattern: RegExp;
  readonly longest: number;
  readonly problem: string;
}

const labelPart = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomainPattern = `${labelPart}(\\.${labelPart})*`;

const namePart = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const localProblem =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  `(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${namePart}')`;
const valueProblem =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  `(e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(${namePart})?')`;
const namePattern = new RegExp(`^${namePart}$`);

const syntaxes: Readonly<Record<Exclude<NameSyntax, 'address' | 'path'>, Syntax>> = {
  subdomain: {
    pattern: new RegExp(`^${subdomainPattern}$`),
    longest: 253,
    problem:
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric " +
      `character (e.g. 'example.com', regex used for validation is '${subdomainPattern}')`,
  },
  label: {
    pattern: new RegExp(`^${labelPart}$`),
    longest: 63,
    problem:
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric " +
      `character (e.g. 'my-name',  or '123-abc', regex used for validation is '${labelPart}')`,
  },
  label1035: {
    pattern: /^[a-z]([-a-z0-9]*[a-z0-9])?$/,
    longest: 63,
    problem:
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric " +
      "character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
  },
  labelValue: { pattern: new RegExp(`^(${namePart})?$`), longest: 63, problem: valueProblem },
};

const none: readonly string[] = [];

/** Errors of a name as a path segment. */
function pathProblems(name: string, part: boolean): readonly string[] {
  if (!part && (name === '.' || name === '..')) return [`may not be '${name}'`];
  if (!/[/%]/.test(name)) return none;
  return ['/', '%'].filter((mark) => name.includes(mark)).map((mark) => `may not contain '${mark}'`);
}

/** All errors of a name; `part` for a prefix, as in `metadata.generateName`. */
export function nameProblems(name: string, syntax: NameSyntax, part = false): readonly string[] {
  if (syntax === 'path') return pathProblems(name, part);
  if (syntax === 'address') return part || isIP(name) !== 0 ? [] : ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
  const { pattern, longest, problem } = syntaxes[syntax];
  if (!part && name.length <= longest && pattern.test(name)) return none;
  // A prefix may end with a hyphen, because a suffix follows; the letter takes the place of two characters.
  const whole = part && name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
  const tooLong =
    whole.length > longest ? [`must be no more than ${String(longest)} ${syntax === 'labelValue' ? 'bytes' : 'characters'}`] : [];
  if (pattern.test(whole)) return tooLong;
  const dotted = syntax === 'label' && whole.includes('.') && syntaxes.subdomain.pattern.test(whole);
  return [...tooLong, dotted ? 'must not contain dots' : problem];
}

/** All errors of a name such as `app` or `example.com/app`; `what` is its name in the message about too many parts. */
export function qualifiedNameProblems(name: string, what = 'a valid label key'): readonly string[] {
  if (name.length <= 63 && namePattern.test(name)) return none;
  const [first = '', second, third] = name.split('/');
  if (third !== undefined)
    return [`${what} ${localProblem.slice('name part '.length)} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  const local = second ?? first;
  const prefix =
    second === undefined
      ? []
      : first === ''
        ? ['prefix part must be non-empty']
        : nameProblems(first, 'subdomain').map((one) => `prefix part ${one}`);
  return [
    ...prefix,
    ...(local === '' ? ['name part must be non-empty'] : []),
    ...(local.length > 63 ? ['name part must be no more than 63 bytes'] : []),
    ...(namePattern.test(local) ? [] : [localProblem]),
  ];
}
