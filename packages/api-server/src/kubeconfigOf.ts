/** The credentials of a client; each is absent if the server does not need it. */
export interface ServerCredentials {
  /** The certificate of the server's CA, as PEM. */
  readonly ca?: string;
  readonly clientCert?: string;
  readonly clientKey?: string;
  readonly token?: string;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** A kubeconfig for one server, as YAML. */
export function kubeconfigOf(url: string, { ca, clientCert, clientKey, token }: ServerCredentials): string {
  // Without TLS there is nothing to verify; client-node refuses such a server unless this says so.
  const trust = url.startsWith('http:') ? { 'insecure-skip-tls-verify': true } : {};
  const cluster = { server: url, ...trust, ...(ca !== undefined && { 'certificate-authority-data': base64(ca) }) };
  const user = {
    ...(clientCert !== undefined && { 'client-certificate-data': base64(clientCert) }),
    ...(clientKey !== undefined && { 'client-key-data': base64(clientKey) }),
    ...(token !== undefined && { token }),
  };
  const name = 'rx-informer';
  return [
    'apiVersion: v1',
    'kind: Config',
    `current-context: ${name}`,
    'clusters:',
    `  - name: ${name}\n    cluster: ${JSON.stringify(cluster)}`,
    'contexts:',
    `  - name: ${name}\n    context: ${JSON.stringify({ cluster: name, user: name, namespace: 'default' })}`,
    'users:',
    `  - name: ${name}\n    user: ${JSON.stringify(user)}`,
    '',
  ].join('\n');
}
