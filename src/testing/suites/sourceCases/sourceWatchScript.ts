import type { KubernetesObject } from '../../../api/kubernetesObject.js';
import type { WatchEvent } from '../../../api/listerWatcher.js';
import { listOf, podOf, type ScriptedAnswer, type SourceScript, watchEventOf } from '../sourceConformanceCase.js';

export const a: KubernetesObject = podOf('a', '1');

/** The first log lines of all these cases. */
const listed = ['0 listing', '0 init first', '0 LIST 0 limit=500', '0 page a@1', '0 ready 10', '0 WATCH 10'];

export function watching(
  name: string,
  watches: readonly ScriptedAnswer[],
  log: readonly string[],
  more: Partial<Pick<SourceScript, 'untilMs' | 'options' | 'source' | 'lists' | 'looks'>> = {},
): SourceScript {
  const { untilMs = 900, options, lists = [], looks = [], source } = more;
  return {
    name,
    options: { listStrategy: 'list', ...options },
    ...(source && { source }),
    lists: [['(l|)', { l: listOf('10', [a]) }], ...lists],
    watches,
    looks,
    untilMs,
    log: [...listed, ...log],
  };
}

export const open: ScriptedAnswer = ['o'];
export const relist: readonly ScriptedAnswer[] = [['(l|)', { l: listOf('20', [a]) }]];

export function relistedAt(ms: number, reason: string, from = '10'): string[] {
  return ['listing', `init ${reason} ${from}`, `LIST ${from}`, 'page a@1', 'ready 20', 'WATCH 20', 'watching'].map(
    (line) => `${ms} ${line}`,
  );
}

export const added: WatchEvent<KubernetesObject> = watchEventOf('ADDED', podOf('b', '12'));
