import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { kubeconfigError } from '../requests/requestError.js';
import { goYaml, YamlError } from './goYaml.js';
import {
  type ClusterFields,
  type ConfigFields,
  type ContextFields,
  FieldError,
  fieldsOf,
  kubeconfigKinds,
  type UserFields,
} from './kubeconfigFields.js';

/** A named entry of a kubeconfig: its fields as in the file, and the path of the file. */
export interface KubeconfigEntry<F> {
  readonly name: string;
  readonly fields: F;
  readonly file: string;
}

export type ClusterEntry = KubeconfigEntry<ClusterFields>;
export type UserEntry = KubeconfigEntry<UserFields>;
export type ContextEntry = KubeconfigEntry<ContextFields>;

/** Kubeconfig files, merged. */
export interface Kubeconfig {
  readonly files: readonly string[];
  readonly currentContext: string;
  readonly contexts: ReadonlyMap<string, ContextEntry>;
  readonly clusters: ReadonlyMap<string, ClusterEntry>;
  readonly users: ReadonlyMap<string, UserEntry>;
}

function parsed(bytes: Uint8Array, file: string): ConfigFields {
  try {
    const value = goYaml(bytes);
    if (value !== null && (typeof value !== 'object' || Array.isArray(value)))
      throw kubeconfigError(`Expected the kubeconfig ${file} to be a mapping, got ${Array.isArray(value) ? 'a list' : typeof value}`);
    return fieldsOf(kubeconfigKinds, value);
  } catch (error) {
    if (error instanceof YamlError) throw kubeconfigError(`Expected the kubeconfig ${file} to be YAML, got ${error.message}`);
    if (error instanceof FieldError) throw kubeconfigError(`Expected \`${error.field}\` in the kubeconfig ${file} ${error.fault}`);
    throw error;
  }
}

async function readFileOf(file: string, mustExist: boolean) {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' && !mustExist) return undefined;
    throw kubeconfigError(`Expected a readable kubeconfig at ${file}, got ${code === 'ENOENT' ? 'no file' : String(code)}`);
  }
  const root = parsed(bytes, file);
  for (const [field, expected] of Object.entries({ kind: 'Config', apiVersion: 'v1' } as const)) {
    if (['', expected].includes(root[field as 'kind' | 'apiVersion'])) continue;
    throw kubeconfigError(`Expected \`${field}\` of the kubeconfig ${file} to be ${expected} or absent, got another text`);
  }
  return { file, root };
}

/** The entries of all files by name: the first one counts, whole. */
function merged<F>(entries: readonly KubeconfigEntry<F>[]): ReadonlyMap<string, KubeconfigEntry<F>> {
  return new Map(entries.toReversed().map((entry) => [entry.name, entry]));
}

/**
 * Reads kubeconfig files and merges them as kubectl does: the first entry of a name wins, and the first current context.
 *
 * Missing files are skipped, unless `mustExist`. Returns undefined when none is left.
 */
export async function readKubeconfig(files: readonly string[], mustExist: boolean): Promise<Kubeconfig | undefined> {
  const read = (await Promise.all([...new Set(files)].map((file) => readFileOf(file, mustExist)))).filter((one) => one !== undefined);
  if (read.length === 0) return undefined;
  return {
    files: read.map(({ file }) => file),
    currentContext: read.map(({ root }) => root['current-context']).find((name) => name !== '') ?? '',
    contexts: merged(read.flatMap(({ root, file }) => root.contexts.map(({ name, context: fields }) => ({ name, fields, file })))),
    clusters: merged(read.flatMap(({ root, file }) => root.clusters.map(({ name, cluster: fields }) => ({ name, fields, file })))),
    users: merged(read.flatMap(({ root, file }) => root.users.map(({ name, user: fields }) => ({ name, fields, file })))),
  };
}

/** A path of an entry, made absolute from the folder of its file. */
export function pathIn({ file }: KubeconfigEntry<unknown>, value: string): string {
  return path.resolve(path.dirname(file), value);
}

/** Reads a file that an entry names. */
export async function contentOf(entry: KubeconfigEntry<unknown>, field: string, value: string): Promise<Buffer> {
  const file = pathIn(entry, value);
  try {
    return await readFile(file);
  } catch (error) {
    const got = String((error as NodeJS.ErrnoException).code);
    throw kubeconfigError(
      `Expected \`${field}\` of ${entry.name} in the kubeconfig ${entry.file} to be a readable file, got ${got} for ${file}`,
    );
  }
}
