import { asJsonObject, asString, isJsonArray, isJsonObject, valueAt, type Json, type JsonObject } from '../json.js';
import { parseQuantity } from '../schema/builtIn/quantity.js';
import type { StoredContent } from '../store/storedObject.js';
import { itemsOf } from '../validation/fieldChecks.js';
import { nameProblems } from './nameProblem.js';

type Texts = Generator<string, void, undefined>;

/** What is said of a label of nodes. A Map, since keys come from requests: an object would have a `constructor`. */
const nodeLabels: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
    'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
    'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
    'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
    'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
    'app.kubernetes.io/created-by': 'deprecated since v1.9',
    'scheduler.alpha.kubernetes.io/preferAvoidPods': 'deprecated since v1.22; use Taints and Tolerations instead',
    'node-role.kubernetes.io/master': 'use "node-role.kubernetes.io/control-plane" instead',
  }),
);

const volumes: Readonly<Record<string, string>> = {
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  gitRepo: 'deprecated in v1.11, and disabled by default in v1.33+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  flocker: 'deprecated in v1.22, non-functional in v1.25+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  quobyte: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
};

const annotations: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod': 'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
};

const [volumeNames, annotationNames] = [Object.keys(volumes), Object.keys(annotations)];

/** Where the pod template of a kind is, and whether the names of objects end up in those of pods. */
const templates: Readonly<Record<string, readonly [path: readonly string[], named: boolean]>> = {
  '/pods': [[], true],
  '/podtemplates': [['template'], false],
  '/replicationcontrollers': [['spec', 'template'], true],
  'apps/deployments': [['spec', 'template'], true],
  'apps/replicasets': [['spec', 'template'], true],
  'apps/statefulsets': [['spec', 'template'], true],
  'apps/daemonsets': [['spec', 'template'], false],
  'batch/jobs': [['spec', 'template'], true],
  'batch/cronjobs': [['spec', 'jobTemplate', 'spec', 'template'], true],
};

const warned: ReadonlySet<string> = new Set([...Object.keys(templates), '/services', 'storage.k8s.io/storageclasses']);
const none: readonly string[] = [];

const within = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

function* termWarnings(term: JsonObject, path: string): Texts {
  for (const [{ key }, at] of itemsOf(term['matchExpressions'], `${path}.matchExpressions`)) {
    const said = nodeLabels.get(asString(key));
    if (said !== undefined) yield `${at}.key: ${asString(key)} is ${said}`;
  }
}

function* placeWarnings(spec: JsonObject, path: string): Texts {
  for (const key of Object.keys(asJsonObject(spec['nodeSelector'])))
    if (nodeLabels.has(key)) yield `${path}.nodeSelector[${key}]: ${nodeLabels.get(key) ?? ''}`;
  const [required, preferred] = [
    'requiredDuringSchedulingIgnoredDuringExecution',
    'preferredDuringSchedulingIgnoredDuringExecution',
  ] as const;
  const affinity = `${path}.affinity.nodeAffinity`;
  const terms = valueAt(spec, 'affinity', 'nodeAffinity', required, 'nodeSelectorTerms');
  for (const [term, at] of itemsOf(terms, `${affinity}.${required}.nodeSelectorTerms`)) yield* termWarnings(term, at);
  for (const [{ preference }, at] of itemsOf(valueAt(spec, 'affinity', 'nodeAffinity', preferred), `${affinity}.${preferred}`))
    yield* termWarnings(asJsonObject(preference), `${at}.preference`);
  for (const [{ topologyKey, labelSelector }, at] of itemsOf(spec['topologySpreadConstraints'], `${path}.topologySpreadConstraints`)) {
    const said = nodeLabels.get(asString(topologyKey));
    if (said !== undefined) yield `${at}.topologyKey: ${asString(topologyKey)} is ${said}`;
    if (!isJsonObject(labelSelector)) yield `${at}.labelSelector: a null labelSelector results in matching no pod`;
  }
}

function* repeated(list: Json | undefined, path: string, field: string): Texts {
  const seen = new Set<string>();
  for (const [item, at] of itemsOf(list, path)) {
    const value = asString(item[field]);
    if (seen.has(value)) yield `${at}.${field}: duplicate ${field} ${JSON.stringify(value)}`;
    seen.add(value);
  }
}

const ofBytes = ['memory', 'ephemeral-storage'];

function* fractionWarnings(name: string, quantities: Json | undefined, path: string): Texts {
  const text = asString(valueAt(quantities, name));
  const nano = text === '' ? undefined : parseQuantity(text)?.nano;
  if (nano !== undefined && nano % 1_000_000_000n !== 0n)
    yield `${path}[${name}]: fractional byte value ${JSON.stringify(text)} is invalid, must be an integer`;
}

function* environmentWarnings(container: JsonObject, path: string): Texts {
  const seen = new Set<string>();
  for (const [{ name, value, valueFrom }, at] of itemsOf(container['env'], `${path}.env`)) {
    const own = asString(name);
    const hides = (reference: string): boolean => isJsonObject(valueFrom) || value === reference || !asString(value).includes(reference);
    if (seen.has(own) && hides(`$(${own})`))
      yield `${at}: hides previous definition of ${JSON.stringify(own)}, which may be dropped when using apply`;
    seen.add(own);
  }
}

function* containerWarnings(spec: JsonObject, path: string): Texts {
  const containers = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) => itemsOf(spec[list], `${path}.${list}`));
  for (const [container, at] of containers) {
    const { limits, requests } = asJsonObject(container['resources']);
    for (const kind of ofBytes) {
      yield* fractionWarnings(kind, limits, `${at}.resources.limits`);
      yield* fractionWarnings(kind, requests, `${at}.resources.requests`);
    }
    yield* environmentWarnings(container, at);
  }
  const names = new Map<string, string>();
  for (const [container, at] of containers)
    for (const [{ name }, place] of itemsOf(container['ports'], `${at}.ports`)) {
      const [own, other] = [asString(name), names.get(asString(name))];
      if (own === '') continue;
      if (other === undefined) names.set(own, place);
      else
        yield `${place}: duplicate port name ${JSON.stringify(own)} with ${other}, services and probes that select ports by name will use ${other}`;
    }
}

function* podWarnings(template: JsonObject, path: string): Texts {
  const spec = asJsonObject(template['spec']);
  const at = within(path, 'spec');
  yield* placeWarnings(spec, at);
  const annotated = valueAt(template, 'metadata', 'annotations');
  for (const key of annotationNames)
    if (valueAt(annotated, key) !== undefined) yield `${within(path, 'metadata')}.annotations[${key}]: ${annotations[key] ?? ''}`;
  for (const [volume, place] of itemsOf(spec['volumes'], `${at}.volumes`))
    for (const name of volumeNames)
      if (isJsonObject(volume[name])) yield `${place}.${name === 'storageos' ? 'storageOS' : name}: ${volumes[name] ?? ''}`;
  for (const [{ name, projected }] of itemsOf(spec['volumes'], ''))
    for (const [source] of itemsOf(valueAt(projected, 'sources'), ''))
      if (Object.keys(source).length === 0) yield `volume ${JSON.stringify(name)} (Projected) has no sources provided`;
  yield* repeated(spec['hostAliases'], `${at}.hostAliases`, 'ip');
  yield* repeated(spec['imagePullSecrets'], `${at}.imagePullSecrets`, 'name');
  for (const [{ name }, place] of itemsOf(spec['imagePullSecrets'], `${at}.imagePullSecrets`))
    if (asString(name) === '') yield `${place}.name: invalid empty name ""`;
  for (const kind of ofBytes) yield* fractionWarnings(kind, spec['overhead'], `${at}.overhead`);
  yield* containerWarnings(spec, at);
  const grace = spec['terminationGracePeriodSeconds'];
  if (typeof grace === 'number' && grace < 0)
    yield `${at}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`;
}

function* serviceWarnings({ spec }: StoredContent): Texts {
  const { type, clusterIP, loadBalancerIP, externalIPs, sessionAffinity, externalName } = asJsonObject(spec);
  const external = isJsonArray(externalIPs) && externalIPs.length > 0;
  if (clusterIP === 'None') {
    if (asString(loadBalancerIP) !== '') yield 'spec.loadBalancerIP is ignored for headless services';
    if (external) yield 'spec.externalIPs is ignored for headless services';
    if (sessionAffinity !== 'None') yield 'spec.SessionAffinity is ignored for headless services';
  } else if (external && type !== 'ExternalName') yield 'spec.externalIPs is deprecated and may no longer be implemented in some clusters';
  if (type === 'ExternalName' && external) yield 'spec.externalIPs is ignored when spec.type is "ExternalName"';
  if (type !== 'ExternalName' && asString(externalName) !== '') yield 'spec.externalName is ignored when spec.type is not "ExternalName"';
}

function* topologyWarnings(content: StoredContent): Texts {
  for (const [topology, at] of itemsOf(content['allowedTopologies'], 'allowedTopologies'))
    for (const [{ key }, place] of itemsOf(topology['matchLabelExpressions'], `${at}.matchLabelExpressions`)) {
      const said = nodeLabels.get(asString(key));
      if (said !== undefined) yield `${place}.key: ${said}`;
    }
}

/** What Kubernetes warns of in an object of a built-in kind that it accepts; of changed pods nothing, and of others where their generation changes. */
export function writeWarnings(bucketId: string, after: StoredContent, before?: StoredContent): readonly string[] {
  return warned.has(bucketId) ? [...warningsOf(bucketId, after, before)] : none;
}

function* warningsOf(bucketId: string, after: StoredContent, before: StoredContent | undefined): Texts {
  const [path, named] = templates[bucketId] ?? [];
  if (path !== undefined && (before === undefined || (path.length > 0 && before.metadata.generation !== after.metadata.generation))) {
    const [problem] = named === true && before === undefined ? nameProblems(after.metadata.name, 'label') : [];
    const where = bucketId === '/pods' ? "the Pod's hostname" : 'Pod names and hostnames';
    if (problem !== undefined)
      yield `metadata.name: this is used in ${where}, which can result in surprising behavior; a DNS label is recommended: [${problem}]`;
    yield* podWarnings(asJsonObject(path.length === 0 ? after : valueAt(after, ...path)), path.join('.'));
  }
  if (bucketId === '/services') yield* serviceWarnings(after);
  if (bucketId === 'storage.k8s.io/storageclasses') yield* topologyWarnings(after);
}

/** The warning of owners that are named twice. */
export function* ownerWarnings(object: JsonObject): Texts {
  const uids = itemsOf(valueAt(object, 'metadata', 'ownerReferences'), '');
  if (uids.length < 2) return;
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const [{ uid }] of uids) (seen.has(asString(uid)) ? twice : seen).add(asString(uid));
  if (twice.size > 0)
    yield `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${[...twice].join(', ')}`;
}
