import type { KubernetesObject } from '../../../api/kubernetesObject.js';
import type { WatchEvent } from '../../../api/listerWatcher.js';
import { listOf, podOf, type ScriptedAnswer, type SourceScript, watchEventOf } from '../sourceConformanceCase.js';

export const a: KubernetesObject = podOf('a', '1');

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
    log: ['0 listing, init first, LIST 0 limit=500, page a@1, ready 10, WATCH 10', ...log],
  };
}

export const open: ScriptedAnswer = ['o'];
export const relist: readonly ScriptedAnswer[] = [['(l|)', { l: listOf('20', [a]) }]];

export function relistedAt(ms: number, reason: string, from = '10'): string {
  return `${ms} listing, init ${reason} ${from}, LIST ${from}, page a@1, ready 20, WATCH 20, watching`;
}

export const added: WatchEvent<KubernetesObject> = watchEventOf('ADDED', podOf('b', '12'));
