import { asJsonObject, asString, isJsonArray, isJsonObject, valueAt, type Json, type JsonObject } from '../json.js';
import { parseQuantity } from '../schema/builtIn/quantity.js';
import { isFormat } from '../schema/formats.js';
import type { StoredContent } from '../store/storedObject.js';
import { addressWarning } from '../validation/addressErrors.js';
import { itemsOf } from '../validation/fieldChecks.js';
import { nameProblems } from './nameProblem.js';

type Texts = Generator<string, void, undefined>;

/** The warnings about labels of nodes. A Map, since keys come from requests: an object would have a `constructor`. */
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
  'seccomp.security.alpha.kubernetes.io/pod': 'non-functional in v1.27+; use the "seccompProfile" field instead',
};

/** Annotations for single containers, by the prefix before the container's name. */
const containerAnnotations: Readonly<Record<string, string>> = {
  'container.seccomp.security.alpha.kubernetes.io/': 'non-functional in v1.27+; use the "seccompProfile" field instead',
  'container.apparmor.security.beta.kubernetes.io/': 'deprecated since v1.30; use the "appArmorProfile" field instead',
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

const none: readonly string[] = [];

const within = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

function* termWarnings(term: JsonObject, path: string): Texts {
  for (const [{ key }, at] of itemsOf(term['matchExpressions'], `${path}.matchExpressions`)) {
    const said = nodeLabels.get(asString(key));
    if (said !== undefined) yield `${at}.key: ${asString(key)} is ${said}`;
  }
}

/** Values of a preference that no label can have. */
function* valueWarnings(term: JsonObject, path: string): Texts {
  for (const [{ values }, at] of itemsOf(term['matchExpressions'], `${path}.matchExpressions`))
    for (const [index, value] of (isJsonArray(values) ? values : []).entries())
      for (const problem of nameProblems(asString(value), 'labelValue'))
        yield `${at}.values[${String(index)}]: ${asString(value)} is invalid, ${problem}`;
}

const nothing = 'a null labelSelector results in matching no pod';

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
  for (const [{ preference }, at] of itemsOf(valueAt(spec, 'affinity', 'nodeAffinity', preferred), `${affinity}.${preferred}`)) {
    yield* termWarnings(asJsonObject(preference), `${at}.preference`);
    yield* valueWarnings(asJsonObject(preference), `${at}.preference`);
  }
  for (const kind of ['podAffinity', 'podAntiAffinity']) {
    const place = `${path}.affinity.${kind}`;
    for (const [{ labelSelector }, at] of itemsOf(valueAt(spec, 'affinity', kind, required), `${place}.${required}`))
      if (!isJsonObject(labelSelector)) yield `${at}.labelSelector: ${nothing}`;
    for (const [{ podAffinityTerm: term }, at] of itemsOf(valueAt(spec, 'affinity', kind, preferred), `${place}.${preferred}`))
      if (!isJsonObject(valueAt(term, 'labelSelector'))) yield `${at}.podAffinityTerm.labelSelector: ${nothing}`;
  }
  for (const [{ topologyKey, labelSelector }, at] of itemsOf(spec['topologySpreadConstraints'], `${path}.topologySpreadConstraints`)) {
    const said = nodeLabels.get(asString(topologyKey));
    if (said !== undefined) yield `${at}.topologyKey: ${asString(topologyKey)} is ${said}`;
    if (!isJsonObject(labelSelector)) yield `${at}.labelSelector: ${nothing}`;
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

/** Whether an amount is no whole number of bytes. */
function isFraction(amount: Json | undefined): boolean {
  const nano = typeof amount === 'string' ? parseQuantity(amount)?.nano : undefined;
  return nano !== undefined && nano % 1_000_000_000n !== 0n;
}

function* fractionWarnings(name: string, quantities: Json | undefined, path: string): Texts {
  const amount = valueAt(quantities, name);
  if (isFraction(amount)) yield `${path}[${name}]: fractional byte value ${JSON.stringify(amount)} is invalid, must be an integer`;
}

/** The sizes of a claim. */
function* sizeWarnings(spec: Json | undefined, path: string): Texts {
  for (const list of ['requests', 'limits'])
    yield* fractionWarnings('storage', valueAt(spec, 'resources', list), `${path}.resources.${list}`);
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

/** Ports with the same number and protocol as others of the pod. */
function* portWarnings(containers: readonly (readonly [JsonObject, string])[]): Texts {
  const known = new Map<string, [host: string, port: number, at: string][]>();
  for (const [container, path] of containers)
    for (const [{ containerPort, protocol = 'TCP', hostIP, hostPort }, at] of itemsOf(container['ports'], `${path}.ports`)) {
      const id = `${JSON.stringify(containerPort)}/${asString(protocol)}`;
      const [host, port] = [asString(hostIP), Number(hostPort ?? 0)];
      const others = known.get(id) ?? [];
      for (const [otherHost, otherPort, place] of others)
        if (host === otherHost && port === otherPort) yield `${at}: duplicate port definition with ${place}`;
        else if (port === 0 || otherPort === 0 || (port === otherPort && (host === '' || otherHost === '')))
          yield `${at}: overlapping port definition with ${place}`;
      others.push([host, port, at]);
      known.set(id, others);
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
  yield* portWarnings(containers);
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

function* volumeWarnings(volume: JsonObject, path: string): Texts {
  for (const name of volumeNames)
    if (isJsonObject(volume[name])) yield `${path}.${name === 'storageos' ? 'storageOS' : name}: ${volumes[name] ?? ''}`;
  const sizes = valueAt(volume, 'ephemeral', 'volumeClaimTemplate', 'spec');
  yield* sizeWarnings(sizes, `${path}.ephemeral.volumeClaimTemplate.spec`);
  const limit = valueAt(volume, 'emptyDir', 'sizeLimit');
  if (isFraction(limit)) yield `${path}.emptyDir.sizeLimit: fractional byte value ${JSON.stringify(limit)} is invalid, must be an integer`;
}

function* podWarnings(template: JsonObject, path: string): Texts {
  const spec = asJsonObject(template['spec']);
  const at = within(path, 'spec');
  yield* placeWarnings(spec, at);
  const annotated = asJsonObject(valueAt(template, 'metadata', 'annotations'));
  for (const key of annotationNames)
    if (annotated[key] !== undefined) yield `${within(path, 'metadata')}.annotations[${key}]: ${annotations[key] ?? ''}`;
  for (const key of Object.keys(annotated))
    for (const prefix of Object.keys(containerAnnotations))
      if (key.startsWith(prefix)) yield `${within(path, 'metadata')}.annotations[${key}]: ${containerAnnotations[prefix] ?? ''}`;
  for (const [volume, place] of itemsOf(spec['volumes'], `${at}.volumes`)) yield* volumeWarnings(volume, place);
  for (const [{ name, projected }] of itemsOf(spec['volumes'], ''))
    for (const [source] of itemsOf(valueAt(projected, 'sources'), ''))
      if (Object.keys(source).length === 0) yield `volume ${JSON.stringify(name)} (Projected) has no sources provided`;
  for (const [{ ip }, place] of itemsOf(spec['hostAliases'], `${at}.hostAliases`)) {
    const said = addressWarning(asString(ip));
    if (said !== undefined) yield `${place}.ip: ${said}`;
  }
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

const beta = 'volume.beta.kubernetes.io/';
/** Annotations of claims and volumes that fields have replaced. */
const replaced: Readonly<Record<string, string>> = {
  [`${beta}storage-class`]: 'deprecated since v1.8; use "storageClassName" attribute instead',
  [`${beta}mount-options`]: 'deprecated since v1.31; use "mountOptions" attribute instead',
};

function* replacedWarnings({ metadata }: StoredContent, names: readonly string[]): Texts {
  for (const name of names) if (metadata.annotations?.[name] !== undefined) yield `metadata.annotations[${name}]: ${replaced[name] ?? ''}`;
}

function* claimWarnings(content: StoredContent): Texts {
  yield* replacedWarnings(content, [`${beta}storage-class`]);
  yield* sizeWarnings(content['spec'], 'spec');
}

function* persistentVolumeWarnings(content: StoredContent): Texts {
  const spec = asJsonObject(content['spec']);
  yield* replacedWarnings(content, Object.keys(replaced));
  if (spec['persistentVolumeReclaimPolicy'] === 'Recycle')
    yield 'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';
  const terms = 'spec.nodeAffinity.required.nodeSelectorTerms';
  for (const [term, at] of itemsOf(valueAt(content, ...terms.split('.')), terms)) yield* termWarnings(term, at);
  for (const name of volumeNames)
    if (isJsonObject(spec[name]) && name !== 'flocker' && name !== 'quobyte')
      yield `spec.${name === 'storageos' ? 'storageOS' : name}: ${volumes[name] ?? ''}`;
}

function* runtimeClassWarnings(content: StoredContent): Texts {
  for (const key of Object.keys(asJsonObject(valueAt(content, 'scheduling', 'nodeSelector'))))
    if (nodeLabels.has(key)) yield `scheduling.nodeSelector: ${nodeLabels.get(key) ?? ''}`;
}

function* ingressWarnings({ metadata }: StoredContent): Texts {
  if (metadata.annotations?.['kubernetes.io/ingress.class'] !== undefined)
    yield `annotation "kubernetes.io/ingress.class" is deprecated, please use 'spec.ingressClassName' instead`;
}

function* nodeWarnings({ spec }: StoredContent): Texts {
  if (asString(valueAt(spec, 'externalID')) !== '') yield 'spec.externalID: this field is deprecated, and is unused by Kubernetes';
}

function* jobWarnings({ spec }: StoredContent): Texts {
  const { completionMode, completions, parallelism } = asJsonObject(spec);
  if (completionMode === 'Indexed' && Number(completions ?? 0) > 100_000 && Number(parallelism ?? 0) > 10_000)
    yield 'spec: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';
}

function* sliceWarnings(content: StoredContent): Texts {
  if (content['addressType'] === 'FQDN') yield 'spec.addressType: FQDN endpoints are deprecated';
  for (const [{ addresses }, at] of itemsOf(content['endpoints'], 'endpoints'))
    for (const [index, address] of (isJsonArray(addresses) ? addresses : []).entries()) {
      const said = addressWarning(asString(address));
      if (said !== undefined) yield `${at}.addresses[${String(index)}]: ${said}`;
    }
}

const mountable = 'kubernetes.io/enforce-mountable-secrets';

function* accountWarnings({ metadata }: StoredContent): Texts {
  if (metadata.annotations?.[mountable] !== undefined)
    yield `metadata.annotations[${mountable}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`;
}

/** The formats in a schema that no object is checked for. */
function* unknownFormats(schema: Json | undefined): Texts {
  if (isJsonArray(schema)) for (const one of schema) yield* unknownFormats(one);
  if (!isJsonObject(schema)) return;
  const format = asString(schema['format']);
  if (format !== '' && !isFormat(format, asString(schema['type']))) yield format;
  const { properties, items, additionalProperties, allOf, anyOf, oneOf, not } = schema;
  const parts = [...Object.values(asJsonObject(properties)), items, additionalProperties, allOf, anyOf, oneOf, not];
  for (const part of parts) yield* unknownFormats(part);
}

/** The formats that a definition has and did not have before. */
function* formatWarnings(after: StoredContent, before: StoredContent | undefined): Texts {
  const formatsOf = ({ spec }: StoredContent): Set<string> =>
    new Set(
      itemsOf(valueAt(spec, 'versions'), '').flatMap(([version]) => [...unknownFormats(valueAt(version, 'schema', 'openAPIV3Schema'))]),
    );
  const known = before === undefined ? new Set<string>() : formatsOf(before);
  for (const format of formatsOf(after)) if (!known.has(format)) yield `unrecognized format "${format}"`;
}

/** The warnings about other kinds, and whether they also apply to updates. */
const ofOthers: Readonly<
  Record<string, readonly [warnings: (content: StoredContent, before: StoredContent | undefined) => Texts, ofChanges: boolean]>
> = {
  'apiextensions.k8s.io/customresourcedefinitions': [formatWarnings, true],
  '/services': [serviceWarnings, true],
  '/persistentvolumes': [persistentVolumeWarnings, true],
  '/persistentvolumeclaims': [claimWarnings, true],
  '/nodes': [nodeWarnings, true],
  'batch/jobs': [jobWarnings, true],
  'discovery.k8s.io/endpointslices': [sliceWarnings, true],
  '/serviceaccounts': [accountWarnings, true],
  'storage.k8s.io/storageclasses': [topologyWarnings, true],
  'node.k8s.io/runtimeclasses': [runtimeClassWarnings, true],
  'networking.k8s.io/ingresses': [ingressWarnings, false],
};

const warned: ReadonlySet<string> = new Set([...Object.keys(templates), ...Object.keys(ofOthers)]);

/** What Kubernetes warns of in an object of a built-in kind that it accepts; of changed pods nothing, and of others where their generation changes. */
export function writeWarnings(bucketId: string, after: StoredContent, before?: StoredContent): Iterable<string> {
  return warned.has(bucketId) ? warningsOf(bucketId, after, before) : none;
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
  if (bucketId === 'apps/statefulsets')
    for (const [claim, at] of itemsOf(valueAt(after, 'spec', 'volumeClaimTemplates'), 'spec.volumeClaimTemplates'))
      yield* sizeWarnings(claim['spec'], `${at}.spec`);
  const [warnings, ofChanges] = ofOthers[bucketId] ?? [];
  if (before === undefined || ofChanges === true) yield* warnings?.(after, before) ?? [];
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
