import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { folderOf, houses, root } from './houses.js';

/** The TypeScript files of all packages, from the root, without the generated kinds. */
export function sourceFiles(): string[] {
  return houses.flatMap((house) => {
    const src = relative(root, join(folderOf(house), 'src'));
    const files = readdirSync(join(root, src), { recursive: true, encoding: 'utf8' });
    return files.filter((file) => /^(?!api\/kubernetes\/).*\.tsx?$/.test(file)).map((file) => join(src, file));
  });
}
