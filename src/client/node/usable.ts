import { existsSync } from 'node:fs';
import { kubeconfigError } from '../requests/requestError.js';
import { type ClusterEntry, contentOf, type KubeconfigEntry, pathIn, type UserEntry } from './kubeconfig.js';
import type { ExecFields } from './kubeconfigFields.js';
import { supportedProxy } from './proxyFor.js';

function refuse(expected: string, { file }: KubeconfigEntry<unknown>, got: string): never {
  throw kubeconfigError(`Expected ${expected} in the kubeconfig ${file}, got ${got}`);
}

/** Throws when both the data and the path of a file are there: kubectl does not choose between them. */
function checkOne(entry: KubeconfigEntry<unknown>, field: string, data: Buffer, file: string): void {
  if (data.length > 0 && file !== '') refuse(`one of \`${field}\` and \`${field}-data\` of ${entry.name}`, entry, 'both');
}

/** Throws for a cluster that kubectl does not take. */
export async function checkCluster(cluster: ClusterEntry, isSecure: boolean): Promise<void> {
  const { 'certificate-authority': file, 'certificate-authority-data': data, 'proxy-url': proxy } = cluster.fields;
  if (proxy !== '') supportedProxy(proxy, `\`proxy-url\` of the cluster ${cluster.name} in the kubeconfig ${cluster.file}`);
  checkOne(cluster, 'certificate-authority', data, file);
  if (isSecure && cluster.fields['insecure-skip-tls-verify'] && (file !== '' || data.length > 0))
    refuse(`one of \`insecure-skip-tls-verify\` and \`certificate-authority\` of ${cluster.name}`, cluster, 'both');
  if (file !== '') await contentOf(cluster, 'certificate-authority', file);
}

/** The versions in which a plugin may answer. */
const execVersions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];

function checkExec(user: UserEntry, exec: ExecFields, isSecure: boolean): void {
  const of = (field: string): string => `\`${field}\` of \`exec\` of the user ${user.name}`;
  if (exec.command === '') refuse(of('command'), user, 'none');
  const { apiVersion } = exec;
  // Over plain HTTP the plugin is not run.
  if (apiVersion === '' || (isSecure && !execVersions.includes(apiVersion)))
    refuse(`${of('apiVersion')} to be ${execVersions.join(' or ')}`, user, apiVersion === '' ? 'none' : 'another version');
  const nameless = exec.env.findIndex(({ name }) => name === '');
  if (nameless >= 0) refuse(`a \`name\` of \`env[${nameless}]\` of \`exec\` of the user ${user.name}`, user, 'none');
  const mode = exec.interactiveMode;
  // The older versions have a default.
  if (mode === '' && /^client\.authentication\.k8s\.io\/v1(alpha|beta)1$/.test(apiVersion)) return;
  if (!['Never', 'IfAvailable', 'Always'].includes(mode))
    refuse(`${of('interactiveMode')} to be Never, IfAvailable or Always`, user, mode === '' ? 'none' : 'another text');
}

/** Over plain HTTP it is enough that it could be opened, which a folder can. */
async function checkFile(user: UserEntry, field: 'client-certificate' | 'client-key', isSecure: boolean): Promise<void> {
  const file = user.fields[field];
  if (file === '' || (!isSecure && existsSync(pathIn(user, file)))) return;
  await contentOf(user, field, file);
}

async function checkCertificate(user: UserEntry, isSecure: boolean): Promise<void> {
  const { fields } = user;
  const { 'client-certificate': cert, 'client-certificate-data': certData, 'client-key': key, 'client-key-data': keyData } = fields;
  if (cert === '' && certData.length === 0) return;
  checkOne(user, 'client-certificate', certData, cert);
  checkOne(user, 'client-key', keyData, key);
  if (key === '' && keyData.length === 0) refuse(`\`client-key\` of ${user.name} beside its certificate`, user, 'none');
  await checkFile(user, 'client-certificate', isSecure);
  await checkFile(user, 'client-key', isSecure);
}

/** Throws for a user that kubectl does not take, whatever the server's protocol is. */
export async function checkUser(user: UserEntry, isSecure: boolean): Promise<void> {
  const { token, username, password, exec, as, ...fields } = user.fields;
  await checkCertificate(user, isSecure);
  if (exec !== undefined && fields['auth-provider'] !== undefined)
    refuse(`one of \`exec\` and \`auth-provider\` of ${user.name}`, user, 'both');
  if (exec !== undefined) checkExec(user, exec, isSecure);
  // A password alone is no user beside a file.
  const basic = token !== '' ? username + password : isSecure && fields.tokenFile !== '' ? username : '';
  if (basic !== '') refuse(`one of \`${token === '' ? 'tokenFile' : 'token'}\` and \`username\` of ${user.name}`, user, 'both');
  const others = fields['as-uid'] !== '' || fields['as-groups'].length > 0 || Object.keys(fields['as-user-extra']).length > 0;
  // Without the headers, the request would have the rights of the user itself.
  if (as === '' && others)
    refuse(`\`as\` of ${user.name} to name whom the user acts as`, user, 'only `as-uid`, `as-groups` or `as-user-extra`');
}
