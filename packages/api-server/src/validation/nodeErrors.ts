import { asJsonObject, asString, isJsonArray, isEqualJson, valueAt, type Json } from '../json.js';
import { duplicate, forbiddenField, invalidValue, notSupported, required, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { choiceErrors, itemsOf, qualifiedNameErrors } from './fieldChecks.js';
import { podSpecErrors, tolerationErrors } from './podErrors.js';
import { labelErrors } from './selectorErrors.js';

type Findings = Generator<FieldError, void, undefined>;

function* taintErrors(list: Json | undefined, path: string): Findings {
  const seen = new Set<string>();
  for (const [{ key, effect }, at] of itemsOf(list, path)) {
    yield* qualifiedNameErrors(asString(key), `${at}.key`);
    if (asString(effect) === '') yield required(`${at}.effect`);
    else yield* choiceErrors(effect, ['NoSchedule', 'PreferNoSchedule', 'NoExecute'], `${at}.effect`);
    const id = `${asString(key)} ${asString(effect)}`;
    if (seen.has(id)) yield duplicate(at, JSON.stringify({ key, effect }));
    seen.add(id);
  }
}

/** Validation errors of a node. */
export function* nodeErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  // The API server reports taints under `metadata`.
  yield* taintErrors(valueAt(after, 'spec', 'taints'), 'metadata.taints');
  for (const field of ['podCIDRs', 'providerID']) {
    const was = valueAt(before, 'spec', field) ?? '';
    if (was !== '' && !isEqualJson(was, valueAt(after, 'spec', field)))
      yield forbiddenField(`spec.${field}`, `node updates may not change ${field} except from "" to valid`);
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

/** Validation errors of a CSIDriver. */
export function* storageDriverErrors(after: StoredContent): Findings {
  const modes = valueAt(after, 'spec', 'volumeLifecycleModes');
  for (const mode of isJsonArray(modes) ? modes : [])
    if (mode !== 'Persistent' && mode !== 'Ephemeral')
      yield notSupported('spec.volumeLifecycleModes', JSON.stringify(mode), ['Persistent', 'Ephemeral']);
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
