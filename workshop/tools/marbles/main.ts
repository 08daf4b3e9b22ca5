// Draws the pictures of the documentation, docs/assets/marbles/*.svg, from the marbles of the specs.
//
//   npm run marbles             writes them
//   npm run marbles -- --check  fails when one is missing, stale or left over
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { MarblePicture } from '../../../spec/docs/marblePicture.js';
import * as operatorPictures from '../../../spec/docs/operatorPictures.js';
import * as pipelinePictures from '../../../spec/docs/pipelinePictures.js';
import * as viewPictures from '../../../spec/docs/viewPictures.js';
import { drawMarbles } from './drawMarbles.js';
import { drawPipeline } from './drawPipeline.js';

const folder = new URL('../../../docs/assets/marbles/', import.meta.url);
const { check } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values;

const pictures = new Map<string, string>(
  Object.entries<MarblePicture>({ ...operatorPictures, ...pipelinePictures, ...viewPictures }).map(([name, picture]) => [
    `${name}.svg`,
    drawMarbles(`Marble diagram of ${picture.call}`, picture),
  ]),
);
pictures.set('pipeline.svg', drawPipeline('The parts of an informer, from the client to those who listen'));

await mkdir(folder, { recursive: true });
const present = await readdir(folder);
const stale: string[] = present.filter((name) => !pictures.has(name));
for (const name of check ? [] : stale) await rm(new URL(name, folder));
for (const [name, svg] of pictures) {
  if (present.includes(name) && (await readFile(new URL(name, folder), 'utf8')) === svg) continue;
  stale.push(name);
  if (!check) await writeFile(new URL(name, folder), svg);
}
console.log(
  `${String(pictures.size)} pictures in ${fileURLToPath(folder)}, ${String(stale.length)} ${check ? 'stale' : 'written or removed'}`,
);
if (check && stale.length > 0) {
  console.error(`Run npm run marbles: ${stale.join(', ')}`);
  process.exitCode = 1;
}
