import { readFile } from 'node:fs/promises';
import { basic, bearer, impersonationHeaders } from '../auth/authHeaders.js';
import type { Credentials, TlsIdentity } from '../auth/credentials.js';
import { isRecord } from '../decode/parseObject.js';
import type { ExecCredential, ExecPlugin } from './execPlugin.js';
import { kubeconfigError, pathField, textField, type KubeconfigEntry } from './kubeconfig.js';

type Headers = Record<string, string | readonly string[]>;

async function contentOf(entry: KubeconfigEntry, field: string): Promise<Buffer | undefined> {
  const file = pathField(entry, field);
  if (file === undefined) return undefined;
  try {
    return await readFile(file);
  } catch (error) {
    const got = String((error as NodeJS.ErrnoException).code);
    throw kubeconfigError(
      `Expected \`${field}\` of ${entry.name} in the kubeconfig ${entry.file} to be a readable file, got ${got} for ${file}`,
    );
  }
}

/** As in client-go, data in the kubeconfig itself wins over a file. */
async function dataOrFile(entry: KubeconfigEntry, field: string): Promise<Buffer | undefined> {
  const data = textField(entry, `${field}-data`);
  return data === undefined ? contentOf(entry, field) : Buffer.from(data, 'base64');
}

/** How a kubeconfig's cluster proves that it is the right one. */
export async function clusterTls(cluster: KubeconfigEntry): Promise<TlsIdentity> {
  return {
    ca: await dataOrFile(cluster, 'certificate-authority'),
    servername: textField(cluster, 'tls-server-name'),
    ...(cluster.fields['insecure-skip-tls-verify'] === true && { rejectUnauthorized: false }),
  };
}

/** A token file is read anew each time, for its content changes; the token beside it is what remains when it is gone. */
async function authorization(user: KubeconfigEntry, given: ExecCredential | undefined): Promise<string | undefined> {
  const token = textField(user, 'token');
  const origin = `the token of ${user.name} in the kubeconfig ${user.file}`;
  if (textField(user, 'tokenFile') !== undefined) {
    const content = token === undefined ? await contentOf(user, 'tokenFile') : await contentOf(user, 'tokenFile').catch(() => undefined);
    if (content !== undefined) return bearer(content.toString('utf8'), origin);
  }
  if (token !== undefined) return bearer(token, origin);
  if (given?.token !== undefined) return bearer(given.token, `what the plugin of ${user.name} gave`);
  const username = textField(user, 'username');
  return username === undefined ? undefined : basic(username, textField(user, 'password') ?? '');
}

function listsOf(value: unknown): Record<string, string[]> {
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([key, list]) => [key, Array.isArray(list) ? list.map(String) : []]))
    : {};
}

function impersonation(user: KubeconfigEntry): Headers {
  const name = textField(user, 'as');
  if (name === undefined) return {};
  const { 'as-groups': groups, 'as-user-extra': extra } = user.fields;
  const uid = textField(user, 'as-uid');
  return impersonationHeaders({
    user: name,
    ...(uid !== undefined && { uid }),
    groups: Array.isArray(groups) ? groups.map(String) : [],
    extra: listsOf(extra),
  });
}

/** What lets a kubeconfig's user in. All files are read anew. */
export async function userCredentials(user: KubeconfigEntry, plugin: ExecPlugin | undefined): Promise<Credentials> {
  const given = await plugin?.credential();
  const authorized = await authorization(user, given);
  const cert = given?.cert ?? (await dataOrFile(user, 'client-certificate'));
  const key = given?.key ?? (await dataOrFile(user, 'client-key'));
  return { headers: { ...(authorized !== undefined && { authorization: authorized }), ...impersonation(user) }, tls: { cert, key } };
}
