// Builds the site: the guides with their pictures, and the pages of the API, as static files in docs-site that need no network.
//
//   npm run docs
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application, Converter, type DocumentReflection, TSConfigReader, TypeDocReader } from 'typedoc';

const heading = /^\s*# (.+)\n/;

/** A guide is called what its first heading says. */
function takeTitle(_: unknown, document: DocumentReflection): void {
  document.name = heading.exec(document.content[0]?.text ?? '')?.[1] ?? document.name;
}

/** Browsers take .ts for a film: linked specs become plain text. */
async function showSpecsAsText(out: string): Promise<void> {
  const media = join(out, 'media');
  const specs = (await readdir(media)).filter((name) => name.endsWith('.ts'));
  for (const name of specs) await rename(join(media, name), join(media, `${name}.txt`));
  for (const name of await readdir(out, { recursive: true })) {
    if (!name.endsWith('.html')) continue;
    const page = await readFile(join(out, name), 'utf8');
    const changed = page.replace(/(href="[^"]*media\/[^"#]+\.ts)(["#])/g, '$1.txt$2');
    if (changed !== page) await writeFile(join(out, name), changed);
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url));
process.chdir(root);
const app = await Application.bootstrap({}, [new TypeDocReader(), new TSConfigReader()]);
const out = app.options.getValue('out');
app.converter.on(Converter.EVENT_CREATE_DOCUMENT, takeTitle);

const project = await app.convert();
if (project !== undefined) {
  // The theme writes the name of the project itself.
  const [readme] = project.readme ?? [];
  if (readme !== undefined) readme.text = readme.text.replace(heading, '');
  app.validate(project);
  await rm(out, { recursive: true, force: true });
  await app.generateDocs(project, out);
  await showSpecsAsText(out);
}
if (project === undefined || app.logger.hasErrors() || app.logger.hasWarnings()) process.exitCode = 1;
