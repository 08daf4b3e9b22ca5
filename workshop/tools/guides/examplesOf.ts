import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

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
    .filter((name) => name.endsWith(ending) && !name.startsWith('api/kubernetes/'))
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

const files = ['README.md', 'packages/create/README.md', ...filesBelow('docs', '.md'), ...filesBelow('src', '.ts')];

/** Every example of the guides and of the comments in src. */
export const examples: readonly Example[] = files.flatMap(examplesOf);
