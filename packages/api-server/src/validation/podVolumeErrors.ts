import { asJsonObject, asString, isJsonObject, valueAt, type Json, type JsonObject } from '../json.js';
import { absentErrors } from '../schema/builtIn/absentFields.js';
import { typeOf, type TypeNode } from '../schema/builtIn/typeNode.js';
import { duplicate, forbiddenField, required, type FieldError } from '../status/statusErrors.js';
import { fieldRefErrors, resourceRefErrors } from './containerErrors.js';
import { descendingPathErrors, itemsOf } from './fieldChecks.js';
import { claimSpecErrors } from './storageErrors.js';

type Findings = Generator<FieldError, void, undefined>;

// In the order in which the API server validates them.
const sources = (
  'emptyDir hostPath gitRepo gcePersistentDisk awsElasticBlockStore secret nfs iscsi glusterfs persistentVolumeClaim rbd cinder cephfs flocker ' +
  'quobyte downwardAPI fc configMap azureFile flexVolume vsphereVolume photonPersistentDisk portworxVolume azureDisk storageos projected scaleIO csi ' +
  'ephemeral image'
).split(' ');

function* keyErrors(items: Json | undefined, path: string): Findings {
  for (const [item, at] of itemsOf(items, path)) yield* descendingPathErrors(asString(item['path']), `${at}.path`);
}

/** Error messages do not number these items. */
function* downwardErrors(items: Json | undefined, at: string): Findings {
  for (const [item] of itemsOf(items, '')) {
    const { fieldRef, resourceFieldRef, path } = item;
    if (asString(path) === '') yield required(`${at}.path`);
    yield* descendingPathErrors(asString(path), `${at}.path`);
    if (fieldRef !== undefined) yield* fieldRefErrors(fieldRef, `${at}.fieldRef`);
    else if (resourceFieldRef === undefined) yield required(at, 'one of fieldRef and resourceFieldRef is required');
    else yield* resourceRefErrors(resourceFieldRef, `${at}.resourceFieldRef`, true);
  }
}

const projections = ['secret', 'configMap', 'downwardAPI', 'serviceAccountToken', 'clusterTrustBundle', 'podCertificate'];

function* projectionErrors(projected: JsonObject, path: string, isNamed: boolean): Findings {
  for (const [source, at] of itemsOf(projected['sources'], `${path}.sources`)) {
    const [first = ''] = projections.filter((name) => source[name] !== undefined);
    const { items, path: file } = asJsonObject(source[first]);
    yield* first === 'downwardAPI' ? downwardErrors(items, `${at}.downwardAPI`) : keyErrors(items, `${at}.${first}.items`);
    if (first !== 'serviceAccountToken') continue;
    if (!isNamed) yield forbiddenField(`${at}.serviceAccountToken`, 'must not be specified when serviceAccountName is not set');
    if (asString(file) === '') yield required(`${path}.path`);
  }
}

function* sourceErrors(name: string, source: JsonObject, path: string, isNamed: boolean): Findings {
  if (name === 'downwardAPI') yield* downwardErrors(source['items'], path);
  if (name === 'secret' || name === 'configMap') yield* keyErrors(source['items'], `${path}.items`);
  if (name === 'projected') yield* projectionErrors(source, path, isNamed);
  if (name === 'ephemeral' && source['volumeClaimTemplate'] !== undefined)
    yield* claimSpecErrors(asJsonObject(valueAt(source, 'volumeClaimTemplate', 'spec')), `${path}.volumeClaimTemplate.spec`);
}

function* oneVolumeErrors(volume: JsonObject, at: string, names: ReadonlySet<string>, isNamed: boolean): Findings {
  const [first = '', ...more] = sources.filter((name) => volume[name] !== undefined);
  if (isJsonObject(volume[first])) yield* sourceErrors(first, volume[first], `${at}.${first}`, isNamed);
  for (const name of more) yield forbiddenField(`${at}.${name}`, 'may not specify more than 1 volume type');
  const name = asString(volume['name']);
  if (names.has(name)) yield duplicate(`${at}.name`, JSON.stringify(name));
}

let volumeType: TypeNode | undefined;

/** Whether a volume has all required fields. */
function isWhole(volume: JsonObject): boolean {
  volumeType ??= typeOf({ group: '', version: 'v1', kind: 'Pod' })?.fields.get('spec')?.fields.get('volumes')?.values;
  return volumeType === undefined || absentErrors(volume, volumeType).length === 0;
}

/** Validation errors of the volumes of a pod; adds the names of valid ones to `names`. */
export function* podVolumeErrors({ volumes, serviceAccountName }: JsonObject, path: string, names: Set<string>, isPod: boolean): Findings {
  const isNamed = !isPod || asString(serviceAccountName) !== '';
  for (const [volume, at] of itemsOf(volumes, path)) {
    const found = [...oneVolumeErrors(volume, at, names, isNamed)];
    yield* found;
    // An invalid volume counts as missing for its mounts.
    if (found.length === 0 && isWhole(volume)) names.add(asString(volume['name']));
  }
}
