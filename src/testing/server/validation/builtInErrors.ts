import { jsonEqual, without, type JsonObject } from '../json.js';
import type { KindRules } from '../kinds/servedResource.js';
import type { FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { configMapErrors, secretErrors } from './configErrors.js';
import { podErrors } from './podErrors.js';
import { serviceErrors } from './serviceErrors.js';
import { jobErrors, replicationControllerErrors, setWithFixedSelectorErrors, statefulSetErrors } from './workloadErrors.js';

type Validation = (after: StoredContent, before: StoredContent | undefined) => Iterable<FieldError>;

// By group and plural.
const validations: Readonly<Record<string, Validation>> = {
  '/pods': podErrors,
  '/services': serviceErrors,
  '/configmaps': configMapErrors,
  '/secrets': secretErrors,
  '/replicationcontrollers': replicationControllerErrors,
  'apps/deployments': setWithFixedSelectorErrors('deployment'),
  'apps/replicasets': setWithFixedSelectorErrors('deployment'),
  'apps/daemonsets': setWithFixedSelectorErrors('daemonset'),
  'apps/statefulsets': statefulSetErrors,
  'batch/jobs': jobErrors,
};

function plain(content: StoredContent): JsonObject {
  return without(content, 'metadata', 'status');
}

function textOf({ field, message }: FieldError): string {
  return `${field}: ${message}`;
}

/**
 * How objects of a built-in kind are validated beside their metadata, by group and plural: what people who write manifests get wrong, and what cannot
 * be changed later. What was wrong before may stay, so that incomplete objects which a test has put in place can be written to.
 */
export function builtInErrors(id: string): KindRules['validate'] {
  const validation = validations[id];
  if (validation === undefined) return undefined;
  return (after, before) => {
    if (before === undefined) return [...validation(after, undefined)];
    if (jsonEqual(plain(before), plain(after))) return [];
    const known = new Set([...validation(before, undefined)].map(textOf));
    return [...validation(after, before)].filter((error) => !known.has(textOf(error)));
  };
}
