import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import { foreignText } from '../../api/errors/foreignText.js';
import { isRecord } from '../decode/parseObject.js';
import { RequestError } from '../requests/requestError.js';

/** A named entry of a kubeconfig: its fields as in the file, and the path of the file. */
export interface KubeconfigEntry {
  readonly name: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly file: string;
}

/** Kubeconfig files, merged. */
export interface Kubeconfig {
  readonly files: readonly string[];
  readonly currentContext: string;
  readonly contexts: ReadonlyMap<string, KubeconfigEntry>;
  readonly clusters: ReadonlyMap<string, KubeconfigEntry>;
  readonly users: ReadonlyMap<string, KubeconfigEntry>;
}

/** The error of a kubeconfig that is missing or invalid. */
export function kubeconfigError(message: string): RequestError {
  return new RequestError({ code: 'ERR_KUBECONFIG', message });
}

/** The sections with named entries, and the field of an entry with its content. */
const sections = { contexts: 'context', clusters: 'cluster', users: 'user' } as const;

/** Parses YAML. The parser's own message is not used: it quotes the line, which may hold a token. */
function parseYaml(text: string, file: string): unknown {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, merge: true });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = lineCounter.linePos(error.pos[0]);
    throw kubeconfigError(`Expected the kubeconfig ${file} to be YAML, got something else in line ${line}, column ${col}`);
  }
  try {
    return document.toJS();
  } catch {
    throw kubeconfigError(`Expected the kubeconfig ${file} to be plain YAML, got aliases that cannot be resolved`);
  }
}

/** Adds the entries of a file to those of the files before it. */
function addEntries(entries: Map<string, KubeconfigEntry>, section: keyof typeof sections, { root, file }: KubeconfigFile): void {
  const list = root[section];
  if (list === undefined || list === null) return;
  if (!Array.isArray(list)) throw kubeconfigError(`Expected \`${section}\` in the kubeconfig ${file} to be a list, got ${typeof list}`);
  list.forEach((entry: unknown, index) => {
    const name = isRecord(entry) ? entry['name'] : undefined;
    if (!isRecord(entry) || typeof name !== 'string' || name === '') {
      throw kubeconfigError(
        `Expected \`${section}[${index}].name\` in the kubeconfig ${file} to be a text, got ${name === '' ? 'an empty one' : typeof name}`,
      );
    }
    const fields = entry[sections[section]] ?? {};
    if (!isRecord(fields))
      throw kubeconfigError(`Expected \`${sections[section]}\` of ${name} in the kubeconfig ${file} to be a mapping, got ${typeof fields}`);
    if (!entries.has(name)) entries.set(name, { name, fields, file });
  });
}

function currentContextOf({ root, file }: KubeconfigFile): string {
  const currentContext = root['current-context'] ?? '';
  if (typeof currentContext === 'string') return currentContext;
  throw kubeconfigError(`Expected \`current-context\` in the kubeconfig ${file} to be a text, got ${typeof currentContext}`);
}

interface KubeconfigFile {
  readonly file: string;
  readonly root: Readonly<Record<string, unknown>>;
}

async function readFileOf(file: string, mustExist: boolean): Promise<KubeconfigFile | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' && !mustExist) return undefined;
    throw kubeconfigError(`Expected a readable kubeconfig at ${file}, got ${code === 'ENOENT' ? 'no file' : String(code)}`);
  }
  const root = parseYaml(text, file) ?? {};
  if (isRecord(root)) return { file, root };
  throw kubeconfigError(`Expected the kubeconfig ${file} to be a mapping, got ${Array.isArray(root) ? 'a list' : typeof root}`);
}

/**
 * Reads kubeconfig files and merges them as kubectl does: the first entry of a name wins, and the first current context.
 *
 * Missing files are skipped, unless `mustExist`. Returns undefined when none is left.
 */
export async function readKubeconfig(files: readonly string[], mustExist: boolean): Promise<Kubeconfig | undefined> {
  const read = (await Promise.all(files.map((file) => readFileOf(file, mustExist)))).filter((one) => one !== undefined);
  if (read.length === 0) return undefined;
  const entriesOf = (section: keyof typeof sections) => {
    const entries = new Map<string, KubeconfigEntry>();
    for (const one of read) addEntries(entries, section, one);
    return entries;
  };
  return {
    files: read.map(({ file }) => file),
    currentContext: read.map(currentContextOf).find((name) => name !== '') ?? '',
    contexts: entriesOf('contexts'),
    clusters: entriesOf('clusters'),
    users: entriesOf('users'),
  };
}

/** A text field, undefined when it is absent or empty: throws a RequestError that names the field, and not its value, when it is something else. */
export function textField({ name, fields, file }: KubeconfigEntry, field: string): string | undefined {
  const value = fields[field];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string')
    throw kubeconfigError(`Expected \`${field}\` of ${name} in the kubeconfig ${file} to be a text, got ${typeof value}`);
  return value;
}

/** A path field of an entry, made absolute from the folder of its file. */
export function pathField(entry: KubeconfigEntry, field: string): string | undefined {
  const value = textField(entry, field);
  return value === undefined ? undefined : path.resolve(path.dirname(entry.file), value);
}

/** Returns the URL of a proxy that is supported: throws a RequestError with the URL, without the user in it, when it is another one. */
export function supportedProxy(url: string, origin: string): string {
  if (URL.canParse(url) && /^(https?|socks\w*):$/.test(new URL(url).protocol)) return url;
  throw kubeconfigError(`Expected ${origin} to be an http, https or socks5 URL, got ${JSON.stringify(foreignText(url))}`);
}
