/**
 * A kubeconfig, or several, with their environment. Texts hold places that a run fills in: `{dir}` is the folder of the case, `{secure}` and the like are
 * ports of its servers, `{pem:root}` is a certificate and `{b64:root+leaf}` are two of them, encoded.
 */
export interface ConnectCase {
  readonly name: string;
  /** Paths below the folder of the case; a path that ends in `/` is a folder, content that begins with `#!` a program. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** `KUBECONFIG` is `{dir}/config` unless it is here. */
  readonly env?: Readonly<Record<string, string>>;
  /** The value of `--kubeconfig`. */
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Only the proxy counts: what is reached without one is not on this machine. */
  readonly onlyProxy?: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** A kubeconfig with one context as an object; `more` replaces fields of its root. */
export function configOf(cluster: Fields, user: unknown = { token: 'token' }, context: Fields = {}, more: Fields = {}): object {
  return {
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'k', ...(user !== undefined && { user: 'u' }), ...context } }],
    clusters: [{ name: 'k', cluster }],
    ...(user !== undefined && { users: [{ name: 'u', user }] }),
    ...more,
  };
}

/** A cluster with a server of TLS that is trusted. */
export const secure: Fields = { server: 'https://127.0.0.1:{secure}', 'certificate-authority-data': '{b64:root}' };
export const plain: Fields = { server: 'http://127.0.0.1:{plain}' };

export const json = (value: unknown): string => JSON.stringify(value);

/** A case of one kubeconfig. */
export function oneFile(name: string, config: object | string | Uint8Array, more: Partial<ConnectCase> = {}): ConnectCase {
  const content = typeof config === 'string' || config instanceof Uint8Array ? config : json(config);
  return { name, ...more, files: { config: content, ...more.files } };
}
