import { asJsonObject, asString, isJsonArray, valueAt } from '../json.js';
import { duplicate, invalidValue, required } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { choiceErrors, type Findings, itemsOf, qualifiedNameErrors } from './fieldChecks.js';
import { podSpecErrors, tolerationErrors } from './podErrors.js';
import { labelErrors } from './selectorErrors.js';

/** Validation errors of a node: the API server reports its taints under `metadata`. */
export function* nodeErrors(after: StoredContent): Findings {
  for (const [{ key, effect }, at] of itemsOf(valueAt(after, 'spec', 'taints'), 'metadata.taints')) {
    yield* qualifiedNameErrors(asString(key), `${at}.key`);
    if (asString(effect) === '') yield required(`${at}.effect`);
    else yield* choiceErrors(effect, ['NoSchedule', 'PreferNoSchedule', 'NoExecute'], `${at}.effect`);
  }
}

/** Validation errors of a PodTemplate. */
export function* podTemplateErrors(after: StoredContent): Findings {
  yield* labelErrors(valueAt(after, 'template', 'metadata', 'labels'), 'template.labels');
  yield* podSpecErrors(valueAt(after, 'template', 'spec'), 'template.spec');
}

/** Validation errors of a RuntimeClass. */
export function* runtimeClassErrors(after: StoredContent): Findings {
  yield* labelErrors(valueAt(after, 'scheduling', 'nodeSelector'), 'scheduling.nodeSelector');
  yield* tolerationErrors(valueAt(after, 'scheduling', 'tolerations'), 'scheduling.tolerations');
}

/** Validation errors of a StorageClass. */
export function* storageClassErrors(after: StoredContent): Findings {
  const seen = new Set<string>();
  for (const [topology, at] of itemsOf(after['allowedTopologies'], 'allowedTopologies')) {
    const id = JSON.stringify(topology['matchLabelExpressions'] ?? null);
    if (seen.has(id)) yield duplicate(`${at}.matchLabelExpressions`, '""');
    seen.add(id);
  }
}

/** Validation errors of a CSINode. */
export function* storageNodeErrors(after: StoredContent): Findings {
  for (const [{ topologyKeys }, at] of itemsOf(valueAt(after, 'spec', 'drivers'), 'spec.drivers'))
    for (const key of isJsonArray(topologyKeys) ? topologyKeys : []) yield* qualifiedNameErrors(asString(key), at);
}

/** Validation errors of an APIService. */
export function* apiServiceErrors(after: StoredContent): Findings {
  const { group, version, service, insecureSkipTLSVerify } = asJsonObject(after['spec']);
  const name = `${asString(version)}.${asString(group)}`;
  if (after.metadata.name !== name) yield invalidValue('metadata.name', JSON.stringify(after.metadata.name), `must be ${name}`);
  if (asString(group) === '' && version !== 'v1')
    yield required('spec.group', 'only v1 may have an empty group and it better be legacy kube');
  if (service === undefined && insecureSkipTLSVerify === true)
    yield invalidValue('spec.insecureSkipTLSVerify', 'true', 'local APIServices may not have insecureSkipTLSVerify');
}
