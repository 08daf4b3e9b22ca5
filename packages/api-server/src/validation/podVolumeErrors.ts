import { asJsonObject, asString, isJsonObject, valueAt, type Json, type JsonObject } from '../json.js';
import { absentErrors } from '../schema/builtIn/absentFields.js';
import { typeOf, type TypeNode } from '../schema/builtIn/typeNode.js';
import { duplicate, forbiddenField, invalidValue, required, type FieldError } from '../status/statusErrors.js';
import { nameProblems } from '../write/nameProblem.js';
import { fieldRefErrors, resourceRefErrors } from './containerErrors.js';
import { descendingPathErrors, itemsOf, nameErrors } from './fieldChecks.js';
import { claimSpecErrors } from './storageErrors.js';

type Findings = Generator<FieldError, void, undefined>;

// In the order in which the API server validates them.
const sources = (
  'emptyDir hostPath gitRepo gcePersistentDisk awsElasticBlockStore secret nfs iscsi glusterfs persistentVolumeClaim rbd cinder cephfs flocker ' +
  'quobyte downwardAPI fc configMap azureFile flexVolume vsphereVolume photonPersistentDisk portworxVolume azureDisk storageos projected scaleIO csi ' +
  'ephemeral image'
).split(' ');

const modeProblem = 'must be a number between 0 and 0777 (octal), both inclusive';

function* modeErrors(value: Json | undefined, path: string): Findings {
  if (typeof value === 'number' && (value < 0 || value > 0o777)) yield invalidValue(path, String(value), modeProblem);
}

function* filePathErrors(value: Json | undefined, path: string): Findings {
  const file = asString(value);
  if (file === '') return;
  yield* descendingPathErrors(file, path);
  if (file.startsWith('..') && !file.startsWith('../')) yield invalidValue(path, JSON.stringify(file), "must not start with '..'");
}

function* keyErrors(items: Json | undefined, path: string): Findings {
  for (const [item, at] of itemsOf(items, path)) {
    yield* filePathErrors(item['path'], `${at}.path`);
    yield* modeErrors(item['mode'], `${at}.mode`);
  }
}

const volumeFields = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'];

/** Error messages do not number these items. */
function* downwardErrors(items: Json | undefined, at: string): Findings {
  for (const [item] of itemsOf(items, '')) {
    const { fieldRef, resourceFieldRef, path } = item;
    if (asString(path) === '') yield required(`${at}.path`);
    yield* filePathErrors(path, `${at}.path`);
    if (fieldRef !== undefined) {
      yield* fieldRefErrors(fieldRef, `${at}.fieldRef`, volumeFields);
      if (resourceFieldRef !== undefined)
        yield invalidValue(at, '"resource"', 'fieldRef and resourceFieldRef can not be specified simultaneously');
    } else if (resourceFieldRef === undefined) yield required(at, 'one of fieldRef and resourceFieldRef is required');
    else yield* resourceRefErrors(resourceFieldRef, `${at}.resourceFieldRef`, true);
    yield* modeErrors(item['mode'], `${at}.mode`);
  }
}

const projections = ['secret', 'configMap', 'downwardAPI', 'serviceAccountToken', 'clusterTrustBundle', 'podCertificate'];

function* projectionErrors(projected: JsonObject, path: string, isNamed: boolean): Findings {
  yield* modeErrors(projected['defaultMode'], `${path}.defaultMode`);
  for (const [source, at] of itemsOf(projected['sources'], `${path}.sources`)) {
    const [first, ...more] = projections.filter((name) => source[name] !== undefined);
    if (first !== undefined) {
      const items = asJsonObject(source[first])['items'];
      yield* first === 'downwardAPI' ? downwardErrors(items, `${at}.downwardAPI`) : keyErrors(items, `${at}.${first}.items`);
      const { expirationSeconds, path: file } = asJsonObject(source['serviceAccountToken']);
      if (first === 'serviceAccountToken') {
        if (!isNamed) yield forbiddenField(`${at}.serviceAccountToken`, 'must not be specified when serviceAccountName is not set');
        if (asString(file) === '') yield required(`${path}.path`);
        yield* filePathErrors(file, `${path}.path`);
      }
      if (typeof expirationSeconds === 'number' && expirationSeconds < 600)
        yield invalidValue(
          `${at}.serviceAccountToken.expirationSeconds`,
          String(expirationSeconds),
          'may not specify a duration less than 10 minutes',
        );
    }
    for (const name of more) yield forbiddenField(`${at}.${name}`, 'may not specify more than 1 volume type per source');
  }
}

/** Validation errors of the name of a driver; upper case is allowed. */
export function* driverErrors(name: string, path: string): Findings {
  if (name.length > 63) yield { reason: 'FieldValueTooLong', field: path, message: 'Too long: may not be more than 63 bytes' };
  for (const problem of nameProblems(name.toLowerCase(), 'subdomain')) yield invalidValue(path, JSON.stringify(name), problem);
}

const hostPathTypes = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'];

function* sourceErrors(name: string, source: JsonObject, path: string, isNamed: boolean): Findings {
  if (name === 'secret' || name === 'configMap' || name === 'downwardAPI') {
    yield* modeErrors(source['defaultMode'], `${path}.defaultMode`);
    yield* name === 'downwardAPI' ? downwardErrors(source['items'], path) : keyErrors(source['items'], `${path}.items`);
  }
  if (name === 'projected') yield* projectionErrors(source, path, isNamed);
  if (name === 'nfs' && asString(source['path']) !== '' && !asString(source['path']).startsWith('/'))
    yield invalidValue(`${path}.path`, JSON.stringify(source['path']), 'must be an absolute path');
  if (name === 'csi' && asString(source['driver']) !== '') yield* driverErrors(asString(source['driver']), `${path}.driver`);
  if (name === 'ephemeral' && source['volumeClaimTemplate'] !== undefined)
    yield* claimSpecErrors(asJsonObject(valueAt(source, 'volumeClaimTemplate', 'spec')), `${path}.volumeClaimTemplate.spec`);
  if (name !== 'hostPath') return;
  const [hostPath, type] = [asString(source['path']), asString(source['type'])];
  if (hostPath.split('/').includes('..')) yield invalidValue(`${path}.path`, JSON.stringify(hostPath), "must not contain '..'");
  if (!hostPathTypes.includes(type))
    yield {
      reason: 'FieldValueNotSupported',
      field: `${path}.type`,
      message: `Unsupported value: ${JSON.stringify(type)}: supported values: ${hostPathTypes.map((one) => JSON.stringify(one === '' ? '<empty>' : one)).join(', ')}`,
    };
}

function* oneVolumeErrors(volume: JsonObject, at: string, names: ReadonlySet<string>, isNamed: boolean): Findings {
  const [first, ...more] = sources.filter((name) => volume[name] !== undefined);
  if (first === undefined) yield required(at, 'must specify a volume type');
  else if (isJsonObject(volume[first])) yield* sourceErrors(first, volume[first], `${at}.${first}`, isNamed);
  for (const name of more) yield forbiddenField(`${at}.${name}`, 'may not specify more than 1 volume type');
  const name = asString(volume['name']);
  if (name !== '') yield* nameErrors('label', name, `${at}.name`);
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
