import { userInfo } from '../auth/user.js';
import type { Store } from '../store/store.js';
import { asJsonObject, isJsonArray, isJsonObject, listAt, valueAt, type Json, type JsonObject } from '../json.js';
import { forbidden } from '../status/statusErrors.js';
import { valuesBetween } from '../store/orderedMap.js';
import type { StoredContent } from '../store/storedObject.js';
import { orderedMeta } from '../write/objectMeta.js';
import { admitPod, defaultPriorityClass } from './admitPod.js';
import { isFilled } from '../validation/fieldChecks.js';
import { amountsOf } from './limitRanges.js';
import { storedVersionsOf } from './definitionStatus.js';
import { allocateService } from './completeService.js';
import type { AdmittedRequest, KindRules } from './servedResource.js';

type Admission = NonNullable<KindRules['admit']>;

/** An admission that applies to new objects only. */
function ofNew(admit: Admission): Admission {
  return (content, request) => (request.before === undefined ? admit(content, request) : content);
}

function withSpec(content: StoredContent, fields: JsonObject): StoredContent {
  return { ...content, spec: { ...asJsonObject(content['spec']), ...fields } };
}

function withFinalizer(content: StoredContent, finalizer: string): StoredContent {
  const { finalizers = [] } = content.metadata;
  if (finalizers.includes(finalizer)) return content;
  return { ...content, metadata: orderedMeta(content.metadata, { finalizers: [...finalizers, finalizer] }) };
}

/** Adds the version that a changed definition stores in to those that objects may be stored in. */
function rememberStoredVersions(content: StoredContent): StoredContent {
  const known = valueAt(content, 'status', 'storedVersions');
  const added = isJsonArray(known) ? storedVersionsOf(content).filter((name) => !known.includes(name)) : [];
  if (!isJsonArray(known) || added.length === 0) return content;
  return { ...content, status: { ...asJsonObject(content['status']), storedVersions: [...known, ...added] } };
}

/** The labels that identify the pods of a job. */
function jobLabels({ uid, name }: StoredContent['metadata']): Record<string, string> {
  const prefix = 'batch.kubernetes.io/';
  return { 'controller-uid': uid, 'job-name': name, [`${prefix}controller-uid`]: uid, [`${prefix}job-name`]: name };
}

/** Sets the selector of a job by its uid, and the labels of its template, which are its own, too, where it has none. */
function admitJob(content: StoredContent): StoredContent {
  const { selector, manualSelector, template } = asJsonObject(content['spec']);
  if (manualSelector === true || !isJsonObject(template)) return content;
  const matchLabels = { 'batch.kubernetes.io/controller-uid': content.metadata.uid };
  const known = asJsonObject(template['metadata']);
  const own = jobLabels(content.metadata);
  const labels = { ...own, ...asJsonObject(known['labels']) } as Record<string, string>;
  const selected = withSpec(content, { selector: selector ?? { matchLabels }, template: { ...template, metadata: { ...known, labels } } });
  return isFilled(content.metadata.labels) ? selected : { ...selected, metadata: orderedMeta(content.metadata, { labels }) };
}

/** The newest class with the annotation of a default class. */
function defaultClass(store: Store, bucketId: string, annotation: string): string | undefined {
  const marked = [...valuesBetween(store.bucket(bucketId).root)].filter(
    ({ content }) => content.metadata.annotations?.[annotation] === 'true',
  );
  const time = (content: StoredContent): string => content.metadata.creationTimestamp;
  const [newest] = marked.sort((a, b) => time(b.content).localeCompare(time(a.content)) || a.name.localeCompare(b.name));
  return newest?.name;
}

/** Whether the field `dataSource` of a claim may refer to this kind of source; `dataSourceRef` may refer to any kind. */
function isOlderSource({ kind, apiGroup = '' }: JsonObject): boolean {
  return kind === 'PersistentVolumeClaim' ? apiGroup === '' : kind === 'VolumeSnapshot' && apiGroup === 'snapshot.storage.k8s.io';
}

/** Copies the data source of a claim between the fields `dataSource` and `dataSourceRef`, so that both have it. */
function withSources(spec: JsonObject): JsonObject {
  const { dataSource, dataSourceRef, ...rest } = spec;
  const { namespace = '', ...other } = asJsonObject(dataSourceRef);
  if (dataSourceRef !== undefined && dataSource === undefined && namespace === '') return { ...spec, dataSource: other };
  if (dataSourceRef !== undefined || dataSource === undefined) return spec;
  return isOlderSource(asJsonObject(dataSource)) ? { ...spec, dataSourceRef: dataSource } : rest;
}

const storageClass = 'volume.beta.kubernetes.io/storage-class';

function admitClaim(content: StoredContent, { store }: AdmittedRequest): StoredContent {
  const kept = { ...withFinalizer(content, 'kubernetes.io/pvc-protection'), spec: withSources(asJsonObject(content['spec'])) };
  if (valueAt(content, 'spec', 'storageClassName') !== undefined || content.metadata.annotations?.[storageClass] !== undefined) return kept;
  const name = defaultClass(store, 'storage.k8s.io/storageclasses', 'storageclass.kubernetes.io/is-default-class');
  return name === undefined ? kept : withSpec(kept, { storageClassName: name });
}

/** A claim can grow only when it is bound, and its class allows expansion. */
function checkGrowth(content: StoredContent, { store, before, user }: AdmittedRequest): StoredContent {
  const size = (claim: StoredContent | undefined): bigint =>
    amountsOf(valueAt(claim, 'spec', 'resources', 'requests')).get('storage') ?? 0n;
  if (user === undefined || size(content) <= size(before)) return content;
  const refuse = (problem: string): never => {
    throw forbidden({ group: '', plural: 'persistentvolumeclaims' }, content.metadata.name, problem);
  };
  if (valueAt(before, 'status', 'phase') !== 'Bound') refuse('Only bound persistent volume claims can be expanded');
  const name = valueAt(content, 'spec', 'storageClassName');
  const found = typeof name === 'string' ? store.bucket('storage.k8s.io/storageclasses').get(name) : undefined;
  if (found?.content['allowVolumeExpansion'] !== true)
    refuse('only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize');
  return content;
}

function admitIngress(content: StoredContent, { store }: AdmittedRequest): StoredContent {
  if (valueAt(content, 'spec', 'ingressClassName') !== undefined) return content;
  if (content.metadata.annotations?.['kubernetes.io/ingress.class'] !== undefined) return content;
  const name = defaultClass(store, 'networking.k8s.io/ingressclasses', 'ingressclass.kubernetes.io/is-default-class');
  return name === undefined ? content : withSpec(content, { ingressClassName: name });
}

const notReady: Json = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

function admitNode(content: StoredContent): StoredContent {
  const known = listAt(content, 'spec', 'taints');
  const there = known.some((taint) => valueAt(taint, 'key') === valueAt(notReady, 'key') && valueAt(taint, 'effect') === 'NoSchedule');
  return there ? content : withSpec(content, { taints: [...known, notReady] });
}

/** Sets the user in a certificate signing request. */
function admitSigningRequest(content: StoredContent, { user }: AdmittedRequest): StoredContent {
  if (user === undefined) return content;
  const { username: _, uid: _uid, groups: _groups, extra: _extra, ...spec } = asJsonObject(content['spec']);
  return { ...content, spec: { ...spec, ...userInfo(user) } };
}

function admitPriorityClass(content: StoredContent, { store, before, user }: AdmittedRequest): StoredContent {
  if (content['globalDefault'] !== true || user === undefined) return content;
  const first = defaultPriorityClass(store);
  if (first === undefined || first.name === before?.metadata.name) return content;
  const resource = { group: 'scheduling.k8s.io', plural: 'priorityclasses' };
  throw forbidden(resource, content.metadata.name, `PriorityClass ${first.name} is already marked as default. Only one default can exist`);
}

/** The changes to new objects at admission, by group and plural. */
export const admissions: Readonly<Record<string, Admission>> = {
  '/pods': admitPod,
  '/namespaces': ofNew((content) => {
    const known = listAt(content, 'spec', 'finalizers');
    return withSpec(content, { finalizers: known.includes('kubernetes') ? known : [...known, 'kubernetes'] });
  }),
  '/nodes': ofNew(admitNode),
  'apiextensions.k8s.io/customresourcedefinitions': rememberStoredVersions,
  '/services': allocateService,
  '/persistentvolumeclaims': (content, request) =>
    request.before === undefined ? admitClaim(content, request) : checkGrowth(content, request),
  '/persistentvolumes': ofNew((content) => withFinalizer(content, 'kubernetes.io/pv-protection')),
  'storage.k8s.io/volumeattributesclasses': ofNew((content) => withFinalizer(content, 'kubernetes.io/vac-protection')),
  'networking.k8s.io/ingresses': ofNew(admitIngress),
  'batch/jobs': ofNew(admitJob),
  'certificates.k8s.io/certificatesigningrequests': ofNew(admitSigningRequest),
  'scheduling.k8s.io/priorityclasses': admitPriorityClass,
};
