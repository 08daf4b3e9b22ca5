import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { isatty } from 'node:tty';
import { foreignText } from '../../api/errors/foreignText.js';
import { isJsonObject } from '../../api/json.js';
import { rememberSecret } from '../../api/errors/sentSecrets.js';
import { redactedMessage, systemCode } from '../requests/requestError.js';
import { pairIn } from './clientCertificate.js';
import { goYaml, YamlError } from './goYaml.js';
import { type ClusterEntry, contentOf, pathIn, type UserEntry } from './kubeconfig.js';
import { credentialKinds, type ExecFields, FieldError, fieldsOf } from './kubeconfigFields.js';
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
  readonly user: UserEntry;
  readonly exec: ExecFields;
  readonly cluster: ClusterEntry;
  /** Wall clock time, in milliseconds. */
  readonly now: () => number;
  readonly processes: PluginProcesses;
  /** Survives the plugin object, which is rebuilt when its credential was refused. */
  readonly memory: PluginMemory;
}

/** The last credential, when and by which command it was returned, and whether it replaced one that the server had refused. */
export interface PluginMemory {
  last?: { readonly held: ExecCredential; readonly command: string; readonly at: number; readonly afterRefusal: boolean };
}

interface Command extends ExecFields {
  /** Where `command` is; undefined when it is not in the PATH. */
  readonly program: string | undefined;
}

/** A credential is renewed this long before it expires, since requests take time. */
const earlierMs = 5_000;

/** Deadline of a plugin that is not interactive. client-go has none; a plugin that hangs would stop every informer. */
const timeoutMs = 60_000;

/** The name of the cluster extension that is meant for plugins. */
const configExtension = 'client.authentication.k8s.io/exec';

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Where a command is: one with a slash beside the kubeconfig, any other in this program's PATH, whatever PATH the plugin itself is given. */
function programOf(command: string, user: UserEntry): string | undefined {
  if (/[/\\]/.test(command)) return pathIn(user, command);
  if (process.platform === 'win32') return command;
  const places = (process.env['PATH'] ?? '').split(path.delimiter).filter((place) => path.isAbsolute(place));
  return places.map((place) => path.join(place, command)).find(isProgram);
}

async function clusterInfo(cluster: ClusterEntry): Promise<object> {
  const { fields } = cluster;
  const { 'certificate-authority': file, 'certificate-authority-data': data, extensions } = fields;
  const ca = file === '' ? data : await contentOf(cluster, 'certificate-authority', file);
  const given = {
    // Escaped as by Go's `URL.String`.
    server: fields.server.replace(/[^!-~]|["<>\\^`{|}]/gu, encodeURIComponent),
    'tls-server-name': fields['tls-server-name'],
    'insecure-skip-tls-verify': fields['insecure-skip-tls-verify'],
    'certificate-authority-data': ca.toString('base64'),
    'proxy-url': fields['proxy-url'],
    'disable-compression': fields['disable-compression'],
  };
  const config = extensions.find(({ name }) => name === configExtension)?.extension ?? null;
  return { ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '' && value !== false)), config };
}

function lastLine(text: string): string {
  return foreignText(text.trim().split('\n').at(-1) ?? '');
}

/** The names of options and variables whose values are secrets. */
const secretNames = /(token|password|passwd|secret|[_-]key)$/i;

/** Registers the secrets that a command is given: it may quote them when it fails. */
function rememberGiven({ args, env }: Pick<Command, 'args' | 'env'>): void {
  for (const { name, value } of env) if (secretNames.test(name)) rememberSecret(value);
  args.forEach((arg, at) => {
    const [, name = arg, value = args[at + 1] ?? ''] = /^(.*?)=(.*)$/.exec(arg) ?? [];
    if (name.startsWith('-') && secretNames.test(name)) rememberSecret(value);
  });
}

/** Runs a command to its end and returns what it printed. */
async function run(command: Command, cluster: ClusterEntry, processes: PluginProcesses): Promise<string> {
  const { command: name, program, args, interactiveMode: mode, apiVersion, installHint } = command;
  const interactive = mode !== 'Never' && isatty(0);
  if (mode === 'Always' && !interactive) throw new Error(`cannot run ${name}: its \`interactiveMode\` is Always, and there is no terminal`);
  rememberGiven(command);
  const spec = { ...(command.provideClusterInfo && { cluster: await clusterInfo(cluster) }), interactive };
  const info = `${JSON.stringify({ kind: 'ExecCredential', apiVersion, spec })}\n`;
  const given = Object.fromEntries(command.env.map(({ name: variable, value }) => [variable, value]));
  const env = { ...process.env, ...given, KUBERNETES_EXEC_INFO: info };
  const cannotRun = (why: string): Error =>
    new Error(`cannot run ${name} (${why})${installHint === '' ? '' : `: ${foreignText(installHint)}`}`);
  if (program === undefined) throw cannotRun('ENOENT');
  const exit = await processes.run({ command: program, args, env, interactive, timeoutMs }).catch((error: unknown) => {
    throw cannotRun(systemCode(error) ?? redactedMessage(error));
  });
  const { stdout, stderr, code, signal, timedOut } = exit;
  if (timedOut) throw new Error(`${name} gave no credentials within ${timeoutMs / 1_000} s and was ended`);
  if (code === 0) return stdout;
  const end = code === null ? `was ended by ${String(signal)}` : `ended with exit code ${code}`;
  throw new Error(`${name} ${end}${stderr.trim() === '' ? '' : `: ${lastLine(stderr)}`}`);
}

/**
 * How long a plugin is not run again when the credential that replaced a refused one is refused as well, or has expired already. Otherwise a hundred informers
 * that retry every few seconds would each run it.
 */
const pauseMs = 10_000;

interface Held extends ExecCredential {
  readonly until: number;
}

/** RFC 3339, as Go reads it: a zone may be 24 hours and 60 minutes away. */
const timestamp = /^(\d{4}-\d\d-\d\d)T((?:[01]?\d|2[0-3]):[0-5]\d:[0-5]\d)(?:[.,]\d+)?(?:Z|([+-](?:[01]\d|2[0-4]):(?:[0-5]\d|60)))$/;

function untilOf(text: string | undefined, name: string): number {
  if (text === undefined) return Infinity;
  const [, day = '', time = '', zone = '+00:00'] = timestamp.exec(text) ?? [];
  const [hours = 0, minutes = 0] = zone.slice(1).split(':').map(Number);
  const aheadMs = (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
  // `Date` takes 31 February for 3 March.
  const isDay = JSON.stringify(new Date(`${day}T00:00:00Z`)).startsWith(`"${day}`);
  const end = isDay ? Date.parse(`${day}T${time.padStart(8, '0')}Z`) - aheadMs : NaN;
  if (Number.isNaN(end))
    throw new Error(`expected ${name} to give an \`expirationTimestamp\` in the form 2030-01-31T12:00:00Z, got another text`);
  return end - earlierMs;
}

/** Reads what a plugin printed, JSON or YAML. What looks like JSON has to be JSON, to the end. */
function answerIn(output: string, name: string) {
  try {
    const value: unknown = /^[ \t\r\n]*\{/.test(output) ? JSON.parse(output) : goYaml(Buffer.from(output));
    if (isJsonObject(value)) return fieldsOf(credentialKinds, value);
  } catch (error) {
    if (error instanceof FieldError) throw new Error(`${error.message}, in what ${name} printed`, { cause: error });
    if (!(error instanceof YamlError) && (error as Error).name !== 'SyntaxError') throw error;
  }
  throw new Error(`expected ${name} to print an ExecCredential as JSON, got something else`);
}

function parseCredential(output: string, { command: name, apiVersion }: Command): Held {
  const answer = answerIn(output, name);
  const { kind, status } = answer;
  // Like kubectl, takes one that does not say what it is.
  if (!['ExecCredential', ''].includes(kind) || answer.apiVersion !== apiVersion || status === undefined)
    throw new Error(`expected ${name} to print an ExecCredential of ${apiVersion} with a \`status\`, got another object`);
  const { token, clientCertificateData: cert, clientKeyData: key } = status;
  if (token + cert + key === '' || (cert === '') !== (key === ''))
    throw new Error(
      `expected ${name} to give a token, or a certificate with its key, got ${token + cert + key === '' ? 'neither' : 'a half of the pair'}`,
    );
  const pair = cert === '' ? undefined : pairIn({ cert, key });
  if (cert !== '' && pair === undefined)
    throw new Error(`expected ${name} to give a certificate and the key of that certificate, as PEM, got others`);
  const until = untilOf(status.expirationTimestamp, name);
  return { token: token === '' ? undefined : token, cert: pair?.cert, key: pair?.key, until };
}

/**
 * Runs a kubeconfig user's credential plugin when its last credential has expired, and at once when the server has refused it. If the replacement is
 * refused, too, the plugin runs again after ten seconds.
 *
 * @see client-go's `plugin/pkg/client/auth/exec`
 */
export function execPlugin({ user, exec, cluster, now, processes, memory }: ExecPluginInit): ExecPlugin {
  const command = {
    ...exec,
    // Looked for at each run: it may be installed later.
    get program() {
      return programOf(exec.command, user);
    },
  };
  const name = JSON.stringify(command);
  let held: Held | undefined;
  return async () => {
    const { last } = memory;
    const afterRefusal = held === undefined && last?.command === name;
    if (afterRefusal && last.afterRefusal && Math.abs(now() - last.at) < pauseMs) return last.held;
    if (held === undefined || now() >= held.until) {
      const given = parseCredential(await run(command, cluster, processes), command);
      const at = now();
      // A plugin may keep its credential to the very end. One that is already expired on arrival means that a clock is wrong; another one would be expired, too.
      held = { ...given, until: [given.until, given.until + earlierMs].find((until) => until > at) ?? at + pauseMs };
      memory.last = { held, command: name, at, afterRefusal };
    }
    return held;
  };
}
