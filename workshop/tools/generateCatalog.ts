// Writes src/api/resources.ts and src/api/kubernetes/ from the installed @kubernetes/client-node and the tables in workshop/tools/catalog/.
// With --check it writes nothing and fails when the committed files are not what it would write.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { catalogOf } from './catalog/catalog.js';
import { readModels } from './catalog/models.js';
import { readOperations } from './catalog/operations.js';
import { placeModels } from './catalog/placement.js';
import { writeClientNodeModels } from './catalog/writeClientNodeModels.js';
import { writeInterfaces } from './catalog/writeInterfaces.js';
import { writeResources } from './catalog/writeResources.js';

const api = new URL('../../src/api/', import.meta.url);

async function header(): Promise<string> {
  const entry = import.meta.resolve('@kubernetes/client-node');
  const { version } = createRequire(entry)('../package.json') as { readonly version: string };
  const declaration = await readFile(new URL('gen/models/V1Pod.d.ts', entry), 'utf8');
  const kubernetes = /OpenAPI spec version: v(\S+)/.exec(declaration)?.[1] ?? '';
  return `// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node ${version}, the API of Kubernetes ${kubernetes}. Do not edit.\n`;
}

/** The expected content of each file, by its path below src/api. */
async function generate(): Promise<ReadonlyMap<string, string>> {
  const operations = readOperations();
  const entries = catalogOf(operations);
  const models = readModels();
  const interfaces = writeInterfaces(placeModels(models, entries, operations), models, entries);
  const files = new Map([['resources.ts', writeResources(entries)]]);
  for (const [file, text] of interfaces) files.set(`kubernetes/${file}.ts`, text);
  files.set('kubernetes/clientNodeModels.ts', writeClientNodeModels(models, entries));
  const first = await header();
  return new Map([...files].map(([file, text]) => [file, first + text]));
}

/** The current content of each file. */
async function read(): Promise<ReadonlyMap<string, string>> {
  const names = await readdir(new URL('kubernetes/', api)).catch(() => []);
  const files = ['resources.ts', ...names.map((name) => `kubernetes/${name}`)];
  return new Map(await Promise.all(files.map(async (file) => [file, await readFile(new URL(file, api), 'utf8').catch(() => '')] as const)));
}

async function check(files: ReadonlyMap<string, string>): Promise<void> {
  const present = await read();
  const different = [...new Set([...files.keys(), ...present.keys()])].filter((file) => files.get(file) !== present.get(file));
  if (different.length === 0) return;
  console.error(`Not as \`npm run catalog\` writes them: ${different.map((file) => `src/api/${file}`).join(', ')}`);
  process.exitCode = 1;
}

async function write(files: ReadonlyMap<string, string>): Promise<void> {
  const present = await read();
  await mkdir(new URL('kubernetes/', api), { recursive: true });
  for (const [file, text] of files) if (present.get(file) !== text) await writeFile(new URL(file, api), text);
  for (const file of present.keys()) if (!files.has(file)) await rm(new URL(file, api));
}

const files = await generate();
await (process.argv.includes('--check') ? check(files) : write(files));
