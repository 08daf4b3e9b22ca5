import { asJsonObject, asString, isJsonArray, isEqualJson, valueAt, without, type Json, type JsonObject } from '../json.js';
import { parseQuantity } from '../schema/builtIn/quantity.js';
import { forbiddenField, invalidValue, notSupported, required, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { choiceErrors, immutableErrors, isFilled } from './fieldChecks.js';
import { labelSelectorErrors, nodeSelectorErrors } from './selectorErrors.js';

type Findings = Generator<FieldError, void, undefined>;

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

/** Validation errors of access modes. */
function* accessErrors(value: Json | undefined, path: string): Findings {
  for (const mode of isJsonArray(value) ? value : []) yield* choiceErrors(mode, accessModes, path);
}

/** Validation errors of the spec of a claim. */
export function* claimSpecErrors(spec: JsonObject, path: string): Findings {
  yield* labelSelectorErrors(spec['selector'], `${path}.selector`);
  yield* accessErrors(spec['accessModes'], `${path}.accessModes`);
  if (valueAt(spec, 'resources', 'requests', 'storage') === undefined) yield required(`${path}.resources[storage]`);
}

/** Validation errors of a PersistentVolumeClaim; after its creation, only its requests can change. */
export function* claimErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  yield* claimSpecErrors(asJsonObject(after['spec']), 'spec');
  if (before === undefined) return;
  const [was, is] = [asJsonObject(before['spec']), asJsonObject(after['spec'])];
  const isBound = valueAt(after, 'status', 'phase') === 'Bound';
  // The volume is chosen once.
  const named = asString(was['volumeName']) === '' && is['volumeName'] !== undefined ? { volumeName: is['volumeName'] } : {};
  const old = { ...was, ...named };
  const free = isBound ? ['volumeAttributesClassName'] : [];
  const kept = Object.fromEntries(free.flatMap((name) => (was[name] === undefined ? [] : [[name, was[name]]])));
  const requests = asJsonObject(valueAt(is, 'resources', 'requests'));
  const storage = valueAt(was, 'resources', 'requests', 'storage');
  const asked =
    isBound && storage !== undefined ? { resources: { ...asJsonObject(is['resources']), requests: { ...requests, storage } } } : {};
  const fixed = { ...without(is, ...free), ...kept, ...asked };
  if (!isEqualJson(old, fixed))
    yield forbiddenField('spec', 'is immutable after creation except resources.requests and volumeAttributesClassName for bound claims');
}

// All other fields in the spec of a volume are volume sources.
const aboutVolume = [
  'accessModes',
  'capacity',
  'claimRef',
  'mountOptions',
  'nodeAffinity',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'volumeAttributesClassName',
  'volumeMode',
];

/** Validation errors of a PersistentVolume. */
export function* volumeErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  const spec = asJsonObject(after['spec']);
  const { capacity, nodeAffinity } = spec;
  yield* accessErrors(spec['accessModes'], 'spec.accessModes');
  if (valueAt(capacity, 'storage') === undefined || Object.keys(asJsonObject(capacity)).length > 1)
    yield notSupported('spec.capacity', JSON.stringify(capacity ?? null), ['storage']);
  if (valueAt(capacity, 'storage') !== undefined && (parseQuantity(asString(valueAt(capacity, 'storage')))?.nano ?? 1n) <= 0n)
    yield invalidValue('spec.capacity[storage]', JSON.stringify(valueAt(capacity, 'storage')), 'must be greater than zero');
  yield* nodeSelectorErrors(valueAt(nodeAffinity, 'required'), 'spec.nodeAffinity.required');
  if (!isFilled(without(spec, ...aboutVolume))) yield required('spec', 'must specify a volume type');
  if (before === undefined) return;
  const was = asJsonObject(before['spec']);
  if (!isEqualJson(without(was, ...aboutVolume), without(spec, ...aboutVolume)))
    yield forbiddenField('spec.persistentvolumesource', 'spec.persistentvolumesource is immutable after creation');
  yield* immutableErrors([was['volumeMode'], spec['volumeMode']], 'volumeMode');
  if (was['nodeAffinity'] !== undefined && !isEqualJson(was['nodeAffinity'], nodeAffinity))
    yield invalidValue('nodeAffinity', JSON.stringify(nodeAffinity ?? null), 'field is immutable');
}
