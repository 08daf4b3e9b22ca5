import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { published } from '../houses.js';
import { sourceFiles } from '../sourceFiles.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** One code block, and its position. */
export interface Example {
  /** Relative to the root of the project. */
  readonly file: string;
  /** The number of its first line of code, from 1. */
  readonly line: number;
  readonly language: string;
  readonly code: string;
}

function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));
}

/** The code blocks of a page, or of the comments of a source. */
function examplesOf(file: string): Example[] {
  const text = readFileSync(join(root, file), 'utf8');
  const isSource = file.endsWith('.ts');
  const fences = isSource ? /^ *\* ```(\w*)\n([^]*?)^ *\* ```$/gm : /^```(\w*)\n([^]*?)^```$/gm;
  return [...text.matchAll(fences)].map((match) => {
    const [, language = '', block = ''] = match;
    const line = text.slice(0, match.index).split('\n').length + 1;
    return { file, line, language, code: isSource ? block.replace(/^ *\* ?/gm, '') : block };
  });
}

const readmes = published.map((folder) => join(folder, 'README.md'));
const files = [...readmes, ...filesBelow('docs', '.md'), ...sourceFiles().filter((file) => file.endsWith('.ts'))];

/** Every example of the guides and of the comments in src. */
export const examples: readonly Example[] = files.flatMap(examplesOf);
