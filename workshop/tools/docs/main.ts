// Builds the site: guides, pictures, a playground and the pages of the API, as static files in docs-site.
//
//   npm run docs                 builds it; fails at the first warning, dead link, or question that the search does not answer
//   npm run docs -- --serve      builds it, and shows it at http://127.0.0.1:4173
import { spawnSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundlePlayground } from './bundlePlayground.js';
import { checkSearch } from './checkSearch.js';
import { finishSite } from './finishSite.js';
import { installSite } from './installSite.js';
import { paths } from './paths.js';
import { SourcePages } from './sourcePages.js';
import { writeApi } from './writeApi.js';
import { writeGuides } from './writeGuides.js';
import { writeModels } from './writeModels.js';

/** Fails with the output of VitePress. */
function vitePress(...args: string[]): void {
  const command = join(paths.site, 'node_modules/vitepress/bin/vitepress.js');
  const { status } = spawnSync(process.execPath, [command, ...args], { cwd: paths.site, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error(`vitepress ${args.join(' ')} failed`);
}

const { serve } = parseArgs({ options: { serve: { type: 'boolean', default: false } } }).values;
process.chdir(paths.root);
await installSite();
await rm(paths.pages, { recursive: true, force: true });
await mkdir(paths.files, { recursive: true });

const sources = new SourcePages();
const sidebars = { ...(await writeGuides(sources)), ...(await writeApi()), '/models/': await writeModels() };
await sources.write();
await bundlePlayground();
await writeFile(join(paths.pages, 'sidebars.json'), JSON.stringify(sidebars));
vitePress('build', '.');
await finishSite();
await checkSearch();
if (serve) vitePress('preview', '.');
