import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { go } from '../../real/kubernetesModule.js';

/** A copy of the module cache is as read-only as the cache is; a build writes to the module's own folder. */
function makeWritable(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) if (!entry.isDirectory()) chmodSync(join(folder, entry.name), 0o644);
}

/** The modules that a go.mod takes from folders beside it, which are not part of what is published. */
export function replacedByFolders(text: string): readonly string[] {
  return [...text.matchAll(/^(?:replace)?\s*(\S+)(?: v\S+)? => \.\S*$/gm)].map(([, path = '']) => path);
}

/** Builds programs of a published module, each named by its folder. Returns the folder of the module and where the programs are. */
export function buildOperator(
  root: string,
  module: string,
  programs: Readonly<Record<string, string>>,
): { readonly sources: string; readonly programs: Readonly<Record<string, string>> } {
  const sources = join(root, 'node_modules/.cache/real', module.replace(/\W+/g, '-'));
  if (!existsSync(sources)) {
    const { Dir: found } = JSON.parse(go(root, 'mod', 'download', '-json', module)) as { readonly Dir: string };
    mkdirSync(sources, { recursive: true });
    cpSync(found, sources, { recursive: true });
    makeWritable(sources);
    for (const path of replacedByFolders(readFileSync(join(sources, 'go.mod'), 'utf8'))) go(sources, 'mod', 'edit', `-dropreplace=${path}`);
  }
  const built = Object.entries(programs).map(([name, folder]) => {
    const program = join(`${sources}-programs`, name);
    if (!existsSync(program)) {
      process.stderr.write(`building ${name} of ${module}\n`);
      go(sources, 'build', '-o', program, folder);
    }
    return [name, program] as const;
  });
  return { sources, programs: Object.fromEntries(built) };
}
