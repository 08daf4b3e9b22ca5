import { asJsonObject, asString, isJsonArray, isJsonObject, jsonEqual, valueAt, without, type Json, type JsonObject } from '../json.js';
import { parseQuantity } from '../schema/builtIn/quantity.js';
import { forbiddenField, invalidValue, notSupported, required, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { choiceErrors, immutableErrors, isFilled, nameErrors } from './fieldChecks.js';
import { labelSelectorErrors, nodeSelectorErrors } from './selectorErrors.js';

type Findings = Generator<FieldError, void, undefined>;

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

/** Validation errors of access modes. */
function* accessErrors(value: Json | undefined, path: string): Findings {
  const modes = isJsonArray(value) ? value : [];
  for (const mode of modes) yield* choiceErrors(mode, accessModes, path);
  if (modes.includes('ReadWriteOncePod') && modes.length > 1)
    yield forbiddenField(path, 'may not use ReadWriteOncePod with other access modes');
}

/** Validation errors of the spec of a claim. */
export function* claimSpecErrors(spec: JsonObject, path: string): Findings {
  const { selector, storageClassName, volumeMode } = spec;
  const storage = valueAt(spec, 'resources', 'requests', 'storage');
  if (!isFilled(spec['accessModes'])) yield required(`${path}.accessModes`, 'at least 1 access mode is required');
  if (selector !== undefined) yield* labelSelectorErrors(selector, `${path}.selector`);
  yield* accessErrors(spec['accessModes'], `${path}.accessModes`);
  if (storage === undefined) yield required(`${path}.resources[storage]`);
  else if ((parseQuantity(asString(storage))?.nano ?? 1n) <= 0n)
    yield invalidValue(`${path}.resources[storage]`, JSON.stringify(storage), 'must be greater than zero');
  if (asString(storageClassName) !== '') yield* nameErrors('subdomain', asString(storageClassName), `${path}.storageClassName`);
  if (volumeMode !== undefined) yield* choiceErrors(volumeMode, ['Block', 'Filesystem'], `${path}.volumeMode`);
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
  if (!jsonEqual(old, fixed))
    yield forbiddenField(
      'spec',
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims',
    );
  const [size, held] = [valueAt(requests, 'storage'), valueAt(before, 'status', 'capacity', 'storage')];
  const nano = (value: Json | undefined): bigint => parseQuantity(asString(value))?.nano ?? 0n;
  if (nano(size) < nano(storage) && nano(size) <= nano(held))
    yield forbiddenField('spec.resources.requests.storage', 'field can not be less than status.capacity');
  yield* immutableErrors([was['volumeMode'], is['volumeMode']], 'volumeMode', (value) => JSON.stringify(value ?? null));
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

const secretsOfDrivers = ['controllerPublishSecretRef', 'nodePublishSecretRef', 'controllerExpandSecretRef', 'nodeExpandSecretRef'];

function* driverVolumeErrors(csi: JsonObject, path: string): Findings {
  for (const name of secretsOfDrivers) {
    if (csi[name] === undefined) continue;
    for (const field of ['name', 'namespace'])
      if (asString(asJsonObject(csi[name])[field]) === '') yield required(`${path}.${name}.${field}`);
  }
}

/** Validation errors of a PersistentVolume. */
export function* volumeErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  const spec = asJsonObject(after['spec']);
  const { capacity, nodeAffinity, volumeMode, storageClassName } = spec;
  yield* accessErrors(spec['accessModes'], 'spec.accessModes');
  if (valueAt(capacity, 'storage') === undefined || Object.keys(asJsonObject(capacity)).length > 1)
    yield notSupported('spec.capacity', JSON.stringify(capacity ?? null), ['storage']);
  if (valueAt(capacity, 'storage') !== undefined && (parseQuantity(asString(valueAt(capacity, 'storage')))?.nano ?? 1n) <= 0n)
    yield invalidValue('spec.capacity[storage]', JSON.stringify(valueAt(capacity, 'storage')), 'must be greater than zero');
  yield* choiceErrors(spec['persistentVolumeReclaimPolicy'], ['Delete', 'Recycle', 'Retain'], 'spec.persistentVolumeReclaimPolicy');
  if (isJsonObject(nodeAffinity)) {
    if (nodeAffinity['required'] === undefined) yield required('spec.nodeAffinity.required', 'must specify required node constraints');
    else yield* nodeSelectorErrors(nodeAffinity['required'], 'spec.nodeAffinity.required');
  }
  if (!isFilled(without(spec, ...aboutVolume))) yield required('spec', 'must specify a volume type');
  if (isJsonObject(spec['csi'])) yield* driverVolumeErrors(spec['csi'], 'spec.csi');
  if (asString(storageClassName) !== '') yield* nameErrors('subdomain', asString(storageClassName), 'spec.storageClassName');
  yield* choiceErrors(volumeMode, ['Block', 'Filesystem'], 'spec.volumeMode');
  if (before === undefined) return;
  const was = asJsonObject(before['spec']);
  if (!jsonEqual(without(was, ...aboutVolume), without(spec, ...aboutVolume)))
    yield forbiddenField('spec.persistentvolumesource', 'spec.persistentvolumesource is immutable after creation');
  yield* immutableErrors([was['volumeMode'], volumeMode], 'volumeMode', (value) => JSON.stringify(value ?? null));
  if (was['nodeAffinity'] !== undefined && !jsonEqual(was['nodeAffinity'], nodeAffinity))
    yield invalidValue(
      'nodeAffinity',
      JSON.stringify(nodeAffinity ?? null),
      'field is immutable, except for updating from beta label to GA',
    );
}
