import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The `version` of the package.json in a folder, if that is this package's. */
function versionIn(folder: string): string | undefined {
  try {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: unknown; version?: unknown };
    return name === 'rx-informer' && typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The version of the package that a program file belongs to, `'unknown'` if it belongs to another one.
 */
export function packageVersion(program: string): string {
  for (let folder = dirname(realpathSync(program)); ; folder = dirname(folder)) {
    const version = versionIn(folder);
    if (version !== undefined) return version;
    if (folder === dirname(folder)) return 'unknown';
  }
}
