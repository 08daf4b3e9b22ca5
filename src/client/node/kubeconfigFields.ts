import { isJsonObject } from '../../api/json.js';
import { fromBase64 } from './goYaml.js';

const words: Readonly<Record<string, string>> = { string: 'another text', number: 'a number', boolean: 'a boolean' };

/** A value of a kubeconfig that has another type than Go expects. */
export class FieldError extends Error {
  /** The parts of the message, for one that also says where the value stands. */
  readonly field: string;
  readonly fault: string;

  constructor(path: string, expected: string, value: unknown) {
    const got = Array.isArray(value) ? 'a list' : isJsonObject(value) ? 'a mapping' : words[typeof value];
    const fault = `to be ${expected}, got ${got}`;
    super(`Expected \`${path}\` ${fault}`);
    this.field = path;
    this.fault = fault;
  }
}

/** The values that are neither list nor mapping, and the extensions that every part of a kubeconfig has. */
interface Values {
  readonly text: string;
  readonly boolean: boolean;
  readonly bytes: Buffer;
  readonly anything: unknown;
  readonly extensions: readonly { readonly name: string; readonly extension: unknown }[];
}

/** The items of a `named` list have a name, which no other has. */
type Form = readonly [form: 'optional' | 'map' | 'list' | 'named', of: Kind];

/** What a value has to be. A mapping of certain fields has a kind for each. */
type Kind = keyof Values | Form | { readonly [field: string]: Kind };

/** A value as Go's types read it from JSON: a text that is absent is `''`. */
type ValueOf<K> = K extends keyof Values
  ? Values[K]
  : K extends readonly ['optional', infer Some]
    ? ValueOf<Some> | undefined
    : K extends readonly ['map', infer Each]
      ? Readonly<Record<string, ValueOf<Each>>>
      : K extends readonly [unknown, infer Item]
        ? readonly ValueOf<Item>[]
        : { readonly [Field in keyof K]: ValueOf<K[Field]> };

/** @see client-go's `tools/clientcmd/api/v1` */
export const kubeconfigKinds = {
  kind: 'text',
  apiVersion: 'text',
  preferences: { colors: 'boolean', extensions: 'extensions' },
  'current-context': 'text',
  contexts: ['named', { name: 'text', context: { cluster: 'text', user: 'text', namespace: 'text', extensions: 'extensions' } }],
  clusters: [
    'named',
    {
      name: 'text',
      cluster: {
        server: 'text',
        'tls-server-name': 'text',
        'insecure-skip-tls-verify': 'boolean',
        'certificate-authority': 'text',
        'certificate-authority-data': 'bytes',
        'proxy-url': 'text',
        'disable-compression': 'boolean',
        extensions: 'extensions',
      },
    },
  ],
  users: [
    'named',
    {
      name: 'text',
      user: {
        'client-certificate': 'text',
        'client-certificate-data': 'bytes',
        'client-key': 'text',
        'client-key-data': 'bytes',
        token: 'text',
        tokenFile: 'text',
        as: 'text',
        'as-uid': 'text',
        'as-groups': ['list', 'text'],
        'as-user-extra': ['map', ['list', 'text']],
        username: 'text',
        password: 'text',
        'auth-provider': ['optional', { name: 'text', config: ['map', 'text'] }],
        exec: [
          'optional',
          {
            command: 'text',
            args: ['list', 'text'],
            env: ['list', { name: 'text', value: 'text' }],
            apiVersion: 'text',
            installHint: 'text',
            provideClusterInfo: 'boolean',
            interactiveMode: 'text',
          },
        ],
        extensions: 'extensions',
      },
    },
  ],
  extensions: 'extensions',
} as const;

export type ConfigFields = ValueOf<typeof kubeconfigKinds>;
export type ContextFields = ConfigFields['contexts'][number]['context'];
export type ClusterFields = ConfigFields['clusters'][number]['cluster'];
export type UserFields = ConfigFields['users'][number]['user'];
export type ExecFields = NonNullable<UserFields['exec']>;

/** What a plugin prints. */
export const credentialKinds = {
  kind: 'text',
  apiVersion: 'text',
  spec: {
    interactive: 'boolean',
    cluster: { server: 'text', 'tls-server-name': 'text', 'certificate-authority-data': 'bytes', 'proxy-url': 'text' },
  },
  status: ['optional', { token: 'text', clientCertificateData: 'text', clientKeyData: 'text', expirationTimestamp: ['optional', 'text'] }],
} as const;

const scalars: { readonly [Name in keyof Values]: (value: unknown, path: string) => Values[Name] } = {
  text(value = '', path) {
    if (typeof value !== 'string') throw new FieldError(path, 'a text', value);
    return value;
  },
  boolean(value = false, path) {
    if (typeof value !== 'boolean') throw new FieldError(path, 'a boolean', value);
    return value;
  },
  bytes(value, path) {
    // Go also takes a list of numbers for bytes.
    const isList = Array.isArray(value) && value.every((byte) => Number.isInteger(byte) && byte >= 0 && byte < 256);
    const decoded = isList ? Buffer.from(value as number[]) : fromBase64(scalars.text(value, path));
    if (decoded === undefined) throw new FieldError(path, 'bytes in base64', value);
    return decoded;
  },
  anything: (value) => value,
  extensions: (value, path) => itemsOf(['named', { name: 'text', extension: 'anything' }], value, path) as Values['extensions'],
};

const isForm = (kind: Kind): kind is Form => Array.isArray(kind);

/** The items of a list, or nothing of what is absent. The error quotes no item. */
function itemsOf([form, of]: Form, value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value ?? [])) throw new FieldError(path, 'a list', value);
  const items = ((value ?? []) as readonly unknown[]).map((item, at) => valueOf(of, item, `${path}[${at}]`));
  const names = form === 'named' ? items.map((item) => (item as { readonly name: string }).name) : [];
  const again = names.find((name, at) => names.indexOf(name) < at);
  if (again !== undefined) throw new FieldError(path, `a list without repeated names (${JSON.stringify(again)} is repeated)`, value);
  return items;
}

/** Nothing is converted, unknown fields are passed over, and `null` is as good as absent. */
function valueOf(kind: Kind, given: unknown, path: string): unknown {
  const value = given ?? undefined;
  if (typeof kind === 'string') return scalars[kind](value, path);
  const [form, of] = isForm(kind) ? kind : ['fields', kind];
  if (form === 'optional') return value === undefined ? undefined : valueOf(of, value, path);
  if (isForm(kind) && form !== 'map') return itemsOf(kind, value, path);
  if (value !== undefined && !isJsonObject(value)) throw new FieldError(path, 'a mapping', value);
  const fields = new Map(Object.entries(value ?? {}));
  const kinds = form === 'map' ? [...fields.keys()].map((name): [string, Kind] => [name, of]) : Object.entries(of as object);
  const entries = kinds.map(([name, each]) => [name, valueOf(each as Kind, fields.get(name), path === '' ? name : `${path}.${name}`)]);
  return Object.fromEntries(entries);
}

/**
 * Reads a value as Go's types read JSON.
 *
 * @throws FieldError
 */
export function fieldsOf<K extends Kind>(kind: K, value: unknown): ValueOf<K> {
  return valueOf(kind, value, '') as ValueOf<K>;
}
