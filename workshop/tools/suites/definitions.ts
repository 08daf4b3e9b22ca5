import { readdirSync, readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { type RunningApiServer, startApiServer, startRealApiServer } from '@rx-informer/api-server';
import { go } from '../real/kubernetesModule.js';
import { definitionSources, type DefinitionSource } from './definitionSources.js';
import type { SuiteCount } from './suiteCount.js';

type Thing = Readonly<Record<string, unknown>> & {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>> & { readonly name: string; readonly namespace?: string };
};

interface Answer {
  readonly code: number;
  readonly json: Readonly<Record<string, unknown>>;
}

interface Definition extends Thing {
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly plural: string; readonly kind: string };
    readonly versions: readonly { readonly name: string }[];
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

function isThing(value: unknown): value is Thing {
  return typeof value === 'object' && value !== null && typeof (value as Partial<Thing>).metadata?.name === 'string';
}

/** The objects in YAML files; templates are skipped. */
function thingsIn(paths: readonly string[]): readonly Thing[] {
  return paths.flatMap(filesIn).flatMap((path) => {
    const documents = parseAllDocuments(readFileSync(path, 'utf8'), { logLevel: 'silent' });
    return [...documents].map((document) => (document.errors.length > 0 ? undefined : (document.toJS() as unknown))).filter(isThing);
  });
}

function post({ url, credentials }: RunningApiServer, path: string, body: object): Promise<Answer> {
  const { ca, clientCert: cert, clientKey: key } = credentials;
  const options = { method: 'POST', headers: { 'content-type': 'application/json' }, ca, cert, key };
  return new Promise((resolve, reject) => {
    const sent = (url.startsWith('https') ? secureRequest : request)(`${url}${path}`, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.once('end', () =>
        resolve({ code: response.statusCode ?? 0, json: text.startsWith('{') ? (JSON.parse(text) as Answer['json']) : { message: text } }),
      );
    });
    sent.once('error', reject).end(JSON.stringify(body));
  });
}

/** The errors in an answer, regardless of their order: errors of a schema come in the order of a Go map. */
function findings({ message, details }: Answer['json']): Readonly<Record<string, unknown>> {
  const { causes = [] } = (details ?? {}) as { readonly causes?: readonly object[] };
  return causes.length > 1 ? { message: causes.map((cause) => JSON.stringify(cause)).sort() } : { message };
}

/** The part of an answer in which two servers must agree: without random values, and without fields that are set later. */
function comparable({ code, json }: Answer): Readonly<Record<string, unknown>> {
  if (code >= 400) return { code, reason: json['reason'], ...findings(json) };
  const { status: _, metadata, ...rest } = json as unknown as Thing;
  const { uid: _uid, resourceVersion: _version, creationTimestamp: _time, managedFields: _managers, ...kept } = metadata;
  return { code, ...rest, metadata: kept };
}

/** Sends an object to both servers. Returns the difference between their answers; with a single server, the reason for a refusal. */
async function tryOne(servers: readonly RunningApiServer[], path: string, thing: object): Promise<string | undefined> {
  const answers = await Promise.all(servers.map((server) => post(server, path, thing)));
  const [embedded = {}, real] = answers.map(comparable);
  if (real === undefined) return Number(embedded['code']) < 400 ? undefined : JSON.stringify(embedded['message']);
  if (isDeepStrictEqual(embedded, real)) return undefined;
  const say = ({ code, message = 'and another object' }: Readonly<Record<string, unknown>>): string =>
    `${String(code)} ${typeof message === 'string' ? message : 'and other findings'}`;
  return `${say(embedded)}, in place of ${say(real)}`.replaceAll(/\s+/g, ' ').slice(0, 400);
}

/** Waits until a server serves the kind of a definition. */
async function whenServed(servers: readonly RunningApiServer[], { spec }: Definition): Promise<void> {
  for (const server of servers)
    for (let attempt = 0; attempt < 600; attempt += 1) {
      const path = `/apis/${spec.group}/${spec.versions[0]?.name ?? ''}${spec.scope === 'Cluster' ? '' : '/namespaces/default'}/${spec.names.plural}`;
      if ((await post(server, `${path}?dryRun=All`, {})).code !== 404) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
}

interface Found {
  tried: number;
  readonly failed: string[];
}

async function tryProject(
  servers: readonly RunningApiServer[],
  folder: string,
  source: DefinitionSource,
  found: readonly [Found, Found],
): Promise<void> {
  const [definitions, samples] = found;
  const pathsOf = (names: readonly string[]): readonly string[] => names.map((name) => join(folder, name));
  const ofName = new Map<string, Definition>();
  for (const thing of thingsIn(pathsOf(source.definitions)))
    if (thing.kind === 'CustomResourceDefinition') ofName.set(thing.metadata.name, thing as Definition);
  const paths = new Map<string, Definition>();
  for (const definition of ofName.values()) {
    const difference = await tryOne(servers, definitionsPath, definition);
    definitions.tried += 1;
    if (difference !== undefined) definitions.failed.push(`${source.project}, ${definition.metadata.name}: ${difference}`);
    for (const { name } of definition.spec.versions)
      paths.set(`${definition.spec.group}/${name} ${definition.spec.names.kind}`, definition);
  }
  for (const thing of thingsIn(pathsOf(source.samples))) {
    const definition = paths.get(`${thing.apiVersion} ${thing.kind}`);
    if (definition === undefined) continue;
    await whenServed(servers, definition);
    const namespaced = definition.spec.scope === 'Namespaced';
    const { namespace: _, ...metadata } = thing.metadata;
    const sample = { ...thing, metadata: namespaced ? { ...metadata, namespace: 'default' } : metadata };
    const path = `/apis/${thing.apiVersion}${namespaced ? '/namespaces/default' : ''}/${definition.spec.names.plural}?fieldManager=suites`;
    const difference = await tryOne(servers, path, sample);
    samples.tried += 1;
    if (difference !== undefined) samples.failed.push(`${source.project}, ${thing.kind} ${thing.metadata.name}: ${difference}`);
  }
}

/**
 * Creates the definitions of real projects and their samples on an embedded server and, if available, on a real one: both must answer
 * alike.
 */
export async function runDefinitions(root: string): Promise<readonly SuiteCount[]> {
  const assets = join(root, 'node_modules/.cache/real/1.36.3');
  const real = statSync(assets, { throwIfNoEntry: false }) === undefined ? [] : [await startRealApiServer({ assets })];
  const servers = [await startApiServer(), ...real];
  const definitions: Found = { tried: 0, failed: [] };
  const samples: Found = { tried: 0, failed: [] };
  try {
    for (const source of definitionSources) {
      const { Dir } = JSON.parse(go(root, 'mod', 'download', '-json', source.module)) as { readonly Dir: string };
      process.stderr.write(`the definitions of ${source.project}\n`);
      await tryProject(servers, Dir, source, [definitions, samples]);
    }
  } finally {
    for (const server of servers) await server.close();
  }
  const projects = `${String(definitionSources.length)} projects`;
  const beside = real.length === 0 ? 'embedded' : 'beside 1.36.3';
  const count = (suite: string, { tried, failed }: Found): SuiteCount => ({
    suite,
    version: beside,
    passed: tried - failed.length,
    failed,
  });
  return [count(`definitions of ${projects}`, definitions), count('objects of these, from their samples', samples)];
}
