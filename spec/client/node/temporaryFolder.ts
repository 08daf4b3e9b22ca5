import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * A folder that is gone after the test.
 */
export interface TemporaryFolder {
  readonly path: string;
  /** Writes a file and gives its path; anything but text becomes JSON, which is YAML, too. */
  write(name: string, content: unknown): string;
  remove(): void;
}

/**
 * Makes an empty folder.
 */
export function temporaryFolder(): TemporaryFolder {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'rx-informer-spec-'));
  return {
    path: folder,
    write(name, content) {
      const file = path.join(folder, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
      return file;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * A kubeconfig with one context, `c`.
 */
export function kubeconfigOf(
  cluster: Record<string, unknown>,
  user?: Record<string, unknown>,
  context: Record<string, unknown> = {},
): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'k', ...(user !== undefined && { user: 'u' }), ...context } }],
    clusters: [{ name: 'k', cluster }],
    ...(user !== undefined && { users: [{ name: 'u', user }] }),
  };
}
