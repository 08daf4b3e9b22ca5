import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isRecord } from '../decode/parseObject.js';
import { foreignText } from '../../api/errors/foreignText.js';
import { redactedMessage, systemCode } from '../requests/requestError.js';
import { kubeconfigError, pathField, textField, type KubeconfigEntry } from './kubeconfig.js';
import type { PluginProcesses } from './pluginProcess.js';

/** The credential that a plugin returned. */
export interface ExecCredential {
  readonly token: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

/** Returns the credential of a kubeconfig user's plugin. Runs the plugin, unless its last credential is still valid. */
export type ExecPlugin = () => Promise<ExecCredential>;

/** What a plugin is run with. */
export interface ExecPluginInit {
  readonly user: KubeconfigEntry;
  readonly cluster: KubeconfigEntry;
  /** Wall clock time, in milliseconds. */
  readonly now: () => number;
  readonly processes: PluginProcesses;
  /** Survives the plugin object, which is rebuilt when its credential was refused. */
  readonly memory: PluginMemory;
}

/** The last credential, when and by which command it was returned, and whether it replaced one that the server had refused. */
interface PluginMemory {
  last?: { readonly held: ExecCredential; readonly command: string; readonly at: number; readonly afterRefusal: boolean };
}

type Command = ReturnType<typeof commandOf>;

/** A credential is renewed this long before it expires, since requests take time. */
const earlierMs = 5_000;

/** Deadline of a plugin that is not interactive. client-go has none; a plugin that hangs would stop every informer. */
const timeoutMs = 60_000;

/** The fields of a cluster that are passed to a plugin (`provideClusterInfo`), under the same names. */
const clusterInfoFields = [
  'server',
  'tls-server-name',
  'insecure-skip-tls-verify',
  'certificate-authority-data',
  'proxy-url',
  'disable-compression',
];

/** The name of the cluster extension that is meant for plugins. */
const configExtension = 'client.authentication.k8s.io/exec';

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

/** The `exec` section of a user. */
function commandOf(user: KubeconfigEntry) {
  const exec = user.fields['exec'];
  const section: KubeconfigEntry = { name: `exec of ${user.name}`, file: user.file, fields: isRecord(exec) ? exec : {} };
  const command = textField(section, 'command');
  const apiVersion = textField(section, 'apiVersion');
  if (command === undefined || apiVersion === undefined) {
    throw kubeconfigError(
      `Expected \`exec\` of the user ${user.name} in the kubeconfig ${user.file} to have a \`command\` and an \`apiVersion\``,
    );
  }
  const { args, env, interactiveMode, provideClusterInfo } = section.fields;
  const pairs = Array.isArray(env) ? env.filter(isRecord).map(({ name, value }): [string, string] => [String(name), String(value)]) : [];
  return {
    // A command with a slash is a path relative to the kubeconfig's folder; any other is searched in PATH.
    command: /[/\\]/.test(command) ? path.resolve(path.dirname(user.file), command) : command,
    args: textsOf(args),
    env: Object.fromEntries(pairs),
    apiVersion,
    interactive: interactiveMode !== 'Never' && process.stdin.isTTY,
    provideClusterInfo: provideClusterInfo === true,
    installHint: textField(section, 'installHint'),
  };
}

async function clusterInfo(cluster: KubeconfigEntry): Promise<object> {
  const { fields } = cluster;
  const info = Object.fromEntries(clusterInfoFields.filter((field) => fields[field] !== undefined).map((field) => [field, fields[field]]));
  const caFile = pathField(cluster, 'certificate-authority');
  if (caFile !== undefined) info['certificate-authority-data'] ??= await readFile(caFile, 'base64');
  const extensions = Array.isArray(fields['extensions']) ? fields['extensions'].filter(isRecord) : [];
  const config = extensions.find(({ name }) => name === configExtension)?.['extension'];
  return { ...info, ...(config !== undefined && { config }) };
}

async function execInfo({ apiVersion, interactive, provideClusterInfo }: Command, cluster: KubeconfigEntry): Promise<string> {
  const spec = { interactive, ...(provideClusterInfo && { cluster: await clusterInfo(cluster) }) };
  return JSON.stringify({ kind: 'ExecCredential', apiVersion, spec });
}

function lastLine(text: string): string {
  return foreignText(text.trim().split('\n').at(-1) ?? '');
}

/** Runs a command to its end and returns what it printed. */
async function run(command: Command, cluster: KubeconfigEntry, processes: PluginProcesses): Promise<string> {
  const { args, interactive, installHint } = command;
  const env = { ...process.env, ...command.env, KUBERNETES_EXEC_INFO: await execInfo(command, cluster) };
  const exit = await processes.run({ command: command.command, args, env, interactive, timeoutMs }).catch((error: unknown) => {
    const hint = installHint === undefined ? '' : `: ${foreignText(installHint)}`;
    throw new Error(`cannot run ${command.command} (${systemCode(error) ?? redactedMessage(error)})${hint}`);
  });
  const { stdout, stderr, code, signal, timedOut } = exit;
  if (timedOut) throw new Error(`${command.command} gave no credentials within ${timeoutMs / 1_000} s and was ended`);
  if (code === 0) return stdout;
  const end = code === null ? `was ended by ${String(signal)}` : `ended with exit code ${code}`;
  throw new Error(`${command.command} ${end}${stderr.trim() === '' ? '' : `: ${lastLine(stderr)}`}`);
}

/**
 * How long a plugin is not run again when the credential that replaced a refused one is refused as well, or has expired already. Otherwise a hundred informers
 * that retry every few seconds would each run it.
 */
const pauseMs = 10_000;

interface Held extends ExecCredential {
  readonly until: number;
}

function parseCredential(output: string, { command, apiVersion }: Command): Held {
  let answer: unknown;
  try {
    answer = JSON.parse(output);
  } catch {
    throw new Error(`expected ${command} to print an ExecCredential as JSON, got something else`);
  }
  if (!isRecord(answer) || answer['kind'] !== 'ExecCredential' || answer['apiVersion'] !== apiVersion || !isRecord(answer['status'])) {
    throw new Error(`expected ${command} to print an ExecCredential of ${apiVersion} with a \`status\`, got another object`);
  }
  const { token, clientCertificateData, clientKeyData, expirationTimestamp } = answer['status'];
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  const held = { token: text(token), cert: text(clientCertificateData), key: text(clientKeyData) };
  if (held.token === undefined && (held.cert === undefined || held.key === undefined)) {
    throw new Error(`expected ${command} to give a token, or a certificate with its key, got neither`);
  }
  const until = typeof expirationTimestamp === 'string' ? Date.parse(expirationTimestamp) - earlierMs : Infinity;
  return { ...held, until: Number.isNaN(until) ? Infinity : until };
}

/**
 * Runs a kubeconfig user's credential plugin when its last credential has expired, and at once when the server has refused it. If the replacement is
 * refused, too, the plugin runs again after ten seconds.
 *
 * @see client-go's `plugin/pkg/client/auth/exec`
 */
export function execPlugin({ user, cluster, now, processes, memory }: ExecPluginInit): ExecPlugin {
  const command = commandOf(user);
  const name = JSON.stringify(command);
  let held: Held | undefined;
  return async () => {
    const { last } = memory;
    const afterRefusal = held === undefined && last?.command === name;
    if (afterRefusal && last.afterRefusal && Math.abs(now() - last.at) < pauseMs) return last.held;
    if (held === undefined || now() >= held.until) {
      const given = parseCredential(await run(command, cluster, processes), command);
      const at = now();
      // A credential that arrives expired means that a clock is wrong; the next one would be no better.
      held = { ...given, until: given.until > at ? given.until : at + pauseMs };
      memory.last = { held, command: name, at, afterRefusal };
    }
    return held;
  };
}
