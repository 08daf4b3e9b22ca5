import { isRecord } from '../parseJson.js';
import { fromBase64 } from './goYaml.js';

const words: Readonly<Record<string, string>> = { string: 'another text', number: 'a number', boolean: 'a boolean' };

/** A value of a kubeconfig that has another type than Go expects. */
export class FieldError extends Error {
  /** The parts of the message, for one that also says where the value stands. */
  readonly field: string;
  readonly fault: string;

  constructor(path: string, expected: string, value: unknown) {
    const got = value === null ? 'null' : Array.isArray(value) ? 'a list' : isRecord(value) ? 'a mapping' : words[typeof value];
    const fault = `to be ${expected}, got ${got}`;
    super(`Expected \`${path}\` ${fault}`);
    this.field = path;
    this.fault = fault;
  }
}

/** Reads a value as Go's types read JSON: `null` is the type's zero, and nothing is converted. */
type Reader<V> = (value: unknown, path: string) => V;

const text: Reader<string> = (value, path) => {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw new FieldError(path, 'a text', value);
  return value;
};

const boolean: Reader<boolean> = (value, path) => {
  if (value === undefined || value === null) return false;
  if (typeof value !== 'boolean') throw new FieldError(path, 'a boolean', value);
  return value;
};

const bytes: Reader<Buffer> = (value, path) => {
  const decoded = fromBase64(text(value, path));
  if (decoded === undefined) throw new FieldError(path, 'bytes in base64', value);
  return decoded;
};

const anything: Reader<unknown> = (value) => value ?? undefined;

function list<V>(item: Reader<V>): Reader<readonly V[]> {
  return (value, path) => {
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) throw new FieldError(path, 'a list', value);
    return value.map((each, index) => item(each, `${path}[${index}]`));
  };
}

function mapping<V>(item: Reader<V>): Reader<Readonly<Record<string, V>>> {
  return (value, path) => {
    if (value === undefined || value === null) return {};
    if (!isRecord(value)) throw new FieldError(path, 'a mapping', value);
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, item(each, `${path}.${key}`)]));
  };
}

/** Unknown fields are ignored. */
function struct<F>(fields: { readonly [Name in keyof F]: Reader<F[Name]> }): Reader<F> {
  const readers = Object.entries<Reader<unknown>>(fields);
  return (value, path) => {
    const given = mapping(anything)(value, path);
    const valueOf = (name: string): unknown => (Object.hasOwn(given, name) ? given[name] : undefined);
    const entries = readers.map(([name, reader]): [string, unknown] => [
      name,
      reader(valueOf(name), path === '' ? name : `${path}.${name}`),
    ]);
    return Object.fromEntries<unknown>(entries) as F;
  };
}

function optional<V>(reader: Reader<V>): Reader<V | undefined> {
  return (value, path) => (value === undefined || value === null ? undefined : reader(value, path));
}

/** A list whose names are its keys. The error does not quote the name's entry. */
function named<V extends { readonly name: string }>(item: Reader<V>): Reader<readonly V[]> {
  const read = list(item);
  return (value, path) => {
    const entries = read(value, path);
    const names = new Set<string>();
    for (const { name } of entries) {
      if (names.has(name)) throw new FieldError(path, `a list without repeated names (${JSON.stringify(name)} is repeated)`, value);
      names.add(name);
    }
    return entries;
  };
}

type Named<Field extends string, F> = { readonly name: string } & { readonly [Name in Field]: F };
type Extensions = readonly Named<'extension', unknown>[];

export interface ClusterFields {
  readonly server: string;
  readonly 'tls-server-name': string;
  readonly 'insecure-skip-tls-verify': boolean;
  readonly 'certificate-authority': string;
  readonly 'certificate-authority-data': Buffer;
  readonly 'proxy-url': string;
  readonly 'disable-compression': boolean;
  readonly extensions: Extensions;
}

export interface ExecFields {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly Named<'value', string>[];
  readonly apiVersion: string;
  readonly installHint: string;
  readonly provideClusterInfo: boolean;
  readonly interactiveMode: string;
}

export interface UserFields {
  readonly 'client-certificate': string;
  readonly 'client-certificate-data': Buffer;
  readonly 'client-key': string;
  readonly 'client-key-data': Buffer;
  readonly token: string;
  readonly tokenFile: string;
  readonly as: string;
  readonly 'as-uid': string;
  readonly 'as-groups': readonly string[];
  readonly 'as-user-extra': Readonly<Record<string, readonly string[]>>;
  readonly username: string;
  readonly password: string;
  readonly 'auth-provider': { readonly name: string; readonly config: Readonly<Record<string, string>> } | undefined;
  readonly exec: ExecFields | undefined;
  readonly extensions: Extensions;
}

export interface ContextFields {
  readonly cluster: string;
  readonly user: string;
  readonly namespace: string;
  readonly extensions: Extensions;
}

export interface ConfigFields {
  readonly kind: string;
  readonly apiVersion: string;
  readonly preferences: { readonly colors: boolean; readonly extensions: Extensions };
  readonly 'current-context': string;
  readonly contexts: readonly Named<'context', ContextFields>[];
  readonly clusters: readonly Named<'cluster', ClusterFields>[];
  readonly users: readonly Named<'user', UserFields>[];
  readonly extensions: Extensions;
}

/** What a plugin prints. */
interface ExecCredentialFields {
  readonly kind: string;
  readonly apiVersion: string;
  readonly status:
    | {
        readonly token: string;
        readonly clientCertificateData: string;
        readonly clientKeyData: string;
        readonly expirationTimestamp: string | undefined;
      }
    | undefined;
}

const extensions: Reader<Extensions> = named(struct<Named<'extension', unknown>>({ name: text, extension: anything }));

export const readCluster: Reader<ClusterFields> = struct({
  server: text,
  'tls-server-name': text,
  'insecure-skip-tls-verify': boolean,
  'certificate-authority': text,
  'certificate-authority-data': bytes,
  'proxy-url': text,
  'disable-compression': boolean,
  extensions,
});

const readExec: Reader<ExecFields> = struct({
  command: text,
  args: list(text),
  env: list(struct({ name: text, value: text })),
  apiVersion: text,
  installHint: text,
  provideClusterInfo: boolean,
  interactiveMode: text,
});

export const readUser: Reader<UserFields> = struct({
  'client-certificate': text,
  'client-certificate-data': bytes,
  'client-key': text,
  'client-key-data': bytes,
  token: text,
  tokenFile: text,
  as: text,
  'as-uid': text,
  'as-groups': list(text),
  'as-user-extra': mapping(list(text)),
  username: text,
  password: text,
  'auth-provider': optional(struct({ name: text, config: mapping(text) })),
  exec: optional(readExec),
  extensions,
});

const readContext: Reader<ContextFields> = struct({ cluster: text, user: text, namespace: text, extensions });

/**
 * Reads the content of a kubeconfig. A text that is absent is `''`, as in Go.
 *
 * @throws FieldError
 * @see client-go's `tools/clientcmd/api/v1`
 */
export const readConfig: Reader<ConfigFields> = struct({
  kind: text,
  apiVersion: text,
  preferences: struct({ colors: boolean, extensions }),
  'current-context': text,
  contexts: named(struct({ name: text, context: readContext })),
  clusters: named(struct({ name: text, cluster: readCluster })),
  users: named(struct({ name: text, user: readUser })),
  extensions,
});

export const readExecCredential: Reader<ExecCredentialFields> = struct({
  kind: text,
  apiVersion: text,
  spec: struct({ interactive: boolean, cluster: readCluster }),
  status: optional(struct({ token: text, clientCertificateData: text, clientKeyData: text, expirationTimestamp: optional(text) })),
});
