import { rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary file, deleted at the latest when the process ends. */
export interface TemporaryFile {
  readonly path: string;
  remove(): Promise<void>;
}

const folders = new Set<string>();

function removeAll(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

/** Writes a file that only its owner can read, in a new folder. */
export async function writeTemporaryFile(name: string, content: string): Promise<TemporaryFile> {
  const folder = await mkdtemp(join(tmpdir(), 'rx-informer-'));
  if (folders.size === 0) process.once('exit', removeAll);
  folders.add(folder);
  const path = join(folder, name);
  await writeFile(path, content, { mode: 0o600 });
  return {
    path,
    remove: async () => {
      folders.delete(folder);
      if (folders.size === 0) process.off('exit', removeAll);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
