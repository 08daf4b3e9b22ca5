import { asJsonObject, jsonEqual, valueAt, without, type JsonObject } from '../json.js';
import { forbiddenField, notSupported, required, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { isFilled } from './fieldChecks.js';

type Findings = Generator<FieldError, void, undefined>;

/** What is wrong with a claim for storage; once made, only its requests can change. */
export function* claimErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  const spec = asJsonObject(after['spec']);
  if (valueAt(spec, 'resources', 'requests', 'storage') === undefined) yield required('spec.resources[storage]');
  if (before === undefined) return;
  const fixed = (content: StoredContent): JsonObject =>
    without(asJsonObject(content['spec']), 'resources', 'volumeName', 'volumeAttributesClassName');
  if (!jsonEqual(fixed(before), fixed(after)))
    yield forbiddenField(
      'spec',
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims',
    );
}

// Everything else in the spec of a volume says where it is.
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

/** What is wrong with a volume. */
export function* volumeErrors(after: StoredContent): Findings {
  const spec = asJsonObject(after['spec']);
  if (valueAt(spec, 'capacity', 'storage') === undefined)
    yield notSupported('spec.capacity', JSON.stringify(spec['capacity'] ?? null), ['storage']);
  if (!isFilled(without(spec, ...aboutVolume))) yield required('spec', 'must specify a volume type');
}
