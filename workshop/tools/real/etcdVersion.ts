import { execFileSync } from 'node:child_process';

/** The version that an etcd program reports, for example `3.6.16`. */
export function etcdVersion(path: string): string {
  return /etcd Version: (\S+)/.exec(execFileSync(path, ['--version'], { encoding: 'utf8' }))?.[1] ?? 'unknown';
}
