import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Document, isCollection, parseAllDocuments, visit } from 'yaml';
import { type RunningApiServer, startApiServer, startRealApiServer } from '@rx-informer/api-server';
import { go } from '../real/kubernetesModule.js';
import { definitionSources, type DefinitionSource } from './definitionSources.js';
import { send, type Trial, tryStep } from './sameAnswers.js';
import type { SuiteCount } from './suiteCount.js';

type Thing = Readonly<Record<string, unknown>> & {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>> & { readonly name: string; readonly namespace?: string };
};

interface Definition extends Thing {
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly plural: string; readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  };
}

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

function filesIn(path: string): readonly string[] {
  if (!statSync(path, { throwIfNoEntry: false })) return [];
  if (statSync(path).isFile()) return /\.ya?ml$/.test(path) ? [path] : [];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesIn(join(path, name)));
}

/** An object with a name; one with `generateName` gets one. */
function thingOf(value: unknown): readonly Thing[] {
  const thing = value as Partial<Thing> | null;
  const { generateName, ...metadata } = (thing?.metadata ?? {}) as Partial<Thing['metadata']>;
  const name = metadata.name ?? (typeof generateName === 'string' && `${generateName}sample`);
  return typeof name === 'string' ? [{ ...thing, metadata: { ...metadata, name } } as Thing] : [];
}

/** Whether something in a document stands for a value, as in `port: {{ .Port }}`: YAML reads it as a map whose key is a map. */
function isTemplate(document: Document.Parsed): boolean {
  let found = document.errors.length > 0;
  visit(document, { Pair: (_, { key }) => (isCollection(key) ? ((found = true), visit.BREAK) : undefined) });
  return found;
}

/** The objects in YAML files, each once; templates are skipped. */
function thingsIn(paths: readonly string[]): readonly Thing[] {
  const things = paths.flatMap(filesIn).flatMap((path) => {
    const documents = [...parseAllDocuments(readFileSync(path, 'utf8'), { logLevel: 'silent' })];
    return documents.flatMap((document) => (isTemplate(document) ? [] : thingOf(document.toJS() as unknown)));
  });
  return [...new Map(things.map((thing) => [JSON.stringify(thing), thing])).values()];
}

/** A definition; one without a group is a part of a kustomization. */
function isDefinition(thing: Thing): thing is Definition {
  return thing.kind === 'CustomResourceDefinition' && (thing as Partial<Definition>).spec?.group !== '';
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 600 && !(await isDone()); attempt += 1) await wait(50);
}

const codeOf = async (server: RunningApiServer, method: 'POST' | 'GET', path: string): Promise<number> =>
  (await send(server, { method, path, ...(method === 'POST' && { body: {} }) })).code;

function collectionOf({ spec }: Definition, version: string): string {
  return `/apis/${spec.group}/${version}${spec.scope === 'Cluster' ? '' : '/namespaces/default'}/${spec.names.plural}`;
}

/** Lists in which no object is twice: of objects with the same name and kind, in whatever version, each is in another list. */
function rounds(trials: readonly Trial[]): readonly (readonly Trial[])[] {
  const seen = new Map<string, number>();
  const lists: Trial[][] = [];
  for (const trial of trials) {
    const key = `${trial.collection.replace(/^(\/apis\/[^/]+)\/[^/]+/, '$1')}/${trial.thing.metadata.name}`;
    const at = seen.get(key) ?? 0;
    seen.set(key, at + 1);
    (lists[at] ??= []).push(trial);
  }
  return lists;
}

/** Applies what was created, twice: times have seconds, so a second apart. */
async function applyTwice(servers: readonly RunningApiServer[], trials: readonly Trial[]): Promise<void> {
  for (const again of [false, true]) {
    await wait(1100);
    for (const trial of trials) await tryStep(servers, 'applied', trial, again);
  }
}

interface Tried {
  readonly definitions: Trial[];
  readonly samples: Trial[];
}

async function tryProject(servers: readonly RunningApiServer[], folder: string, source: DefinitionSource, tried: Tried): Promise<void> {
  const read = (names: readonly string[]): readonly Thing[] => thingsIn(names.map((name) => join(folder, name)));
  const trialOf = (collection: string, thing: Thing): Trial => {
    return { title: `${source.project}, ${thing.kind} ${thing.metadata.name}`, collection, thing, versions: [] };
  };
  const found = read(source.definitions).filter(isDefinition);
  const definitions = [...new Map(found.map((definition) => [definition.metadata.name, definition])).values()];
  const paths = new Map<string, string>();
  for (const definition of definitions)
    for (const { name } of definition.spec.versions)
      paths.set(`${definition.spec.group}/${name} ${definition.spec.names.kind}`, collectionOf(definition, name));
  const samples = read(source.samples).flatMap((thing) => {
    const collection = paths.get(`${thing.apiVersion} ${thing.kind}`);
    const { namespace: _, ...metadata } = thing.metadata;
    const isNamespaced = collection?.includes('/namespaces/default/');
    return collection === undefined
      ? []
      : [trialOf(collection, { ...thing, metadata: isNamespaced ? { ...metadata, namespace: 'default' } : metadata })];
  });
  const definitionTrials = definitions.map((definition) => trialOf(definitionsPath, definition));
  tried.definitions.push(...definitionTrials);
  tried.samples.push(...samples);

  for (const trial of definitionTrials) await tryStep(servers, 'created', trial);
  for (const server of servers)
    for (const definition of definitions) {
      const version = definition.spec.versions.find(({ served }) => served)?.name ?? '';
      await until(async () => (await codeOf(server, 'POST', `${collectionOf(definition, version)}?dryRun=All`)) !== 404);
    }
  await applyTwice(servers, definitionTrials);
  for (const round of rounds(samples)) {
    for (const trial of round) await tryStep(servers, 'created', trial);
    await applyTwice(servers, round);
    for (const trial of round) await tryStep(servers, 'deleted', trial);
  }
  for (const trial of definitionTrials) await tryStep(servers, 'deleted', trial);
  for (const server of servers)
    for (const { metadata } of definitions)
      await until(async () => (await codeOf(server, 'GET', `${definitionsPath}/${metadata.name}`)) === 404);
}

/**
 * Creates the definitions of real projects and their samples on an embedded server and, if available, on a real one, applies them twice
 * and deletes them: both must answer alike. `focus` is a part of a project's name.
 */
export async function runDefinitions(root: string, focus = ''): Promise<readonly SuiteCount[]> {
  const assets = join(root, 'node_modules/.cache/real/1.36.3');
  const real = existsSync(join(assets, 'etcd')) ? [await startRealApiServer({ assets })] : [];
  const servers = [await startApiServer(), ...real];
  const tried: Tried = { definitions: [], samples: [] };
  const sources = definitionSources.filter(({ project }) => project.includes(focus));
  try {
    for (const source of sources) {
      const { Dir } = JSON.parse(go(root, 'mod', 'download', '-json', source.module)) as { readonly Dir: string };
      process.stderr.write(`the definitions of ${source.project}\n`);
      await tryProject(servers, Dir, source, tried);
    }
  } finally {
    for (const server of servers) await server.close();
  }
  const count = (suite: string, trials: readonly Trial[]): SuiteCount => {
    const failed = trials.flatMap(({ title, problem }) => (problem === undefined ? [] : [`${title}: ${problem}`]));
    return { suite, version: real.length === 0 ? 'embedded' : 'beside 1.36.3', passed: trials.length - failed.length, failed };
  };
  return [
    count(`definitions of ${String(sources.length)} projects`, tried.definitions),
    count('objects of these, from their samples', tried.samples),
  ];
}
