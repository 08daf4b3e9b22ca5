import type { Likeness } from './recordedReplay.js';

/**
 * The cases of rules-1.36.3.jsonl.br that the embedded server answers otherwise than kube-apiserver 1.36.3: which parts are equal, and why not all.
 * workshop/reports/api-server-fidelity.md has the same list.
 */
export const rulesOtherwise: Readonly<Record<string, readonly [alike: Likeness, reason: string]>> = {
  'quota: limit none': ['reason', 'an empty list of limits is none there'],
};
