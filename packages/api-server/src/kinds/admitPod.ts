import { asJsonObject, asString, isEqualJson, listAt, valueAt, type Json, type JsonObject } from '../json.js';
import { forbidden } from '../status/statusErrors.js';
import { valuesBetween } from '../store/orderedMap.js';
import type { StoredContent, StoredObject } from '../store/storedObject.js';
import { withLimitDefaults } from './limitRanges.js';
import type { AdmittedRequest } from './servedResource.js';

const pods = { group: '', plural: 'pods' };

/** Taints for which a pod gets a toleration by default: it stays on a lost node for a limited time. */
const toleratedTaints = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

/** Whether a toleration applies to a taint with the effect `NoExecute`. */
function tolerates(toleration: Json, taint: string): boolean {
  const { key = '', effect = '' } = asJsonObject(toleration);
  return (key === '' || key === taint) && (effect === '' || effect === 'NoExecute');
}

function tolerationsOf(tolerations: Json | undefined): readonly Json[] {
  const known = listAt(tolerations);
  const missing = toleratedTaints.filter((taint) => !known.some((one) => tolerates(one, taint)));
  if (missing.length === 0) return known;
  return [...known, ...missing.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }))];
}

const systemPriorities: Readonly<Record<string, number>> = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
};

const priorityClasses = 'scheduling.k8s.io/priorityclasses';

/** The priority class of pods that name none: the lowest of the default classes. */
export function defaultPriorityClass(store: AdmittedRequest['store']): StoredObject | undefined {
  const marked = [...valuesBetween(store.bucket(priorityClasses).root)].filter((one) => one.content['globalDefault'] === true);
  return marked.sort((a, b) => Number(a.content['value']) - Number(b.content['value']))[0];
}

/** The priority of a pod: that of its class, or of the default class. */
function priorityOf(content: StoredContent, { store }: AdmittedRequest): JsonObject {
  const spec = asJsonObject(content['spec']);
  const refuse = (problem: string): never => {
    throw forbidden(pods, content.metadata.name, problem);
  };
  const asked = asString(spec['priorityClassName']);
  const found = asked === '' ? defaultPriorityClass(store) : store.bucket(priorityClasses).get(asked);
  const known = found === undefined ? systemPriorities[asked] : Number(found.content['value']);
  if (asked !== '' && known === undefined) refuse(`no PriorityClass with name ${asked} was found`);
  const priority = known ?? 0;
  const policy = asString(found?.content['preemptionPolicy'] ?? 'PreemptLowerPriority');
  const own = 'must not be provided in pod spec; priority admission controller computed';
  const from = 'from the given PriorityClass name';
  if (spec['priority'] !== undefined && spec['priority'] !== priority)
    refuse(`the integer value of priority (${String(Number(spec['priority']))}) ${own} ${String(priority)} ${from}`);
  if (spec['preemptionPolicy'] !== undefined && spec['preemptionPolicy'] !== policy)
    refuse(`the string value of PreemptionPolicy (${asString(spec['preemptionPolicy'])}) ${own} ${policy} ${from}`);
  const name = found?.name ?? asked;
  return { priority, preemptionPolicy: policy, ...(name !== '' && { priorityClassName: name }) };
}

/** The fields that a pod gets from its RuntimeClass. */
function runtimeOf(content: StoredContent, { store }: AdmittedRequest): JsonObject {
  const spec = asJsonObject(content['spec']);
  const name = asString(spec['runtimeClassName']);
  const found = name === '' ? undefined : store.bucket('node.k8s.io/runtimeclasses').get(name);
  const refuse = (problem: string): never => {
    throw forbidden(pods, content.metadata.name, problem);
  };
  if (name !== '' && found === undefined) refuse(`pod rejected: RuntimeClass ${JSON.stringify(name)} not found`);
  const overhead = valueAt(found?.content, 'overhead', 'podFixed');
  if (overhead !== undefined && spec['overhead'] !== undefined && !isEqualJson(overhead, spec['overhead']))
    refuse("pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
  const { nodeSelector, tolerations } = asJsonObject(valueAt(found?.content, 'scheduling'));
  const own = asJsonObject(spec['nodeSelector']);
  for (const [key, value] of Object.entries(asJsonObject(nodeSelector)))
    if (key in own && own[key] !== value)
      refuse(
        `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${asString(value)}; pod.spec.nodeSelector[${key}] = ${asString(own[key])}`,
      );
  const known = listAt(spec, 'tolerations');
  const more = listAt(tolerations).filter((one) => !known.some((other) => isEqualJson(one, other)));
  return {
    ...(overhead !== undefined && { overhead }),
    ...(nodeSelector !== undefined && { nodeSelector: { ...own, ...asJsonObject(nodeSelector) } }),
    ...(more.length > 0 && { tolerations: [...known, ...more] }),
  };
}

/** What is refused about the overhead of a new pod, once it is valid. */
export function overheadRefusal(content: StoredContent, store: AdmittedRequest['store']): string | undefined {
  const { overhead, runtimeClassName } = asJsonObject(content['spec']);
  const found = store.bucket('node.k8s.io/runtimeclasses').get(asString(runtimeClassName));
  if (overhead === undefined || valueAt(found?.content, 'overhead', 'podFixed') !== undefined) return undefined;
  return 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead';
}

const tokenFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The projected volume with the token of a pod's service account, the certificate of the server and the namespace. */
function tokenVolume(name: string): JsonObject {
  const sources = [
    { serviceAccountToken: { expirationSeconds: 3_607, path: 'token' } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    { downwardAPI: { items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }] } },
  ];
  return { name, projected: { sources, defaultMode: 0o644 } };
}

/** The containers with a mount of the token volume; a container that mounts something else at that path is unchanged. */
function withTokenMount(containers: readonly Json[], name: string): readonly Json[] {
  return containers.map((one) => {
    const container = asJsonObject(one);
    const mounts = listAt(container, 'volumeMounts');
    if (mounts.some((mount) => asJsonObject(mount)['mountPath'] === tokenFolder)) return one;
    return { ...container, volumeMounts: [...mounts, { name, readOnly: true, mountPath: tokenFolder }] };
  });
}

/** The fields that a pod gets from its service account. A server without controllers has no service accounts, and requires none. */
function accountOf({ metadata }: StoredContent, spec: JsonObject, { store, random }: AdmittedRequest): JsonObject {
  const account = store.bucket('/serviceaccounts').get(`${metadata.namespace ?? ''}/${asString(spec['serviceAccountName']) || 'default'}`);
  if (account === undefined || 'kubernetes.io/config.mirror' in (metadata.annotations ?? {})) return {};
  const secrets = listAt(account.content, 'imagePullSecrets');
  const named = { serviceAccountName: account.name, serviceAccount: account.name };
  const pulling = listAt(spec, 'imagePullSecrets').length === 0 && secrets.length > 0 ? { imagePullSecrets: secrets } : {};
  if ((spec['automountServiceAccountToken'] ?? account.content['automountServiceAccountToken']) === false) return { ...named, ...pulling };
  const volumes = listAt(spec, 'volumes');
  const known = volumes.map((volume) => asString(asJsonObject(volume)['name'])).find((one) => one.startsWith('kube-api-access-'));
  const name = known ?? `kube-api-access-${random.suffix(5)}`;
  const containers = withTokenMount(listAt(spec, 'containers'), name);
  const initContainers = withTokenMount(listAt(spec, 'initContainers'), name);
  const all = [...listAt(spec, 'containers'), ...listAt(spec, 'initContainers')];
  const mounted = [...containers, ...initContainers].some((one, at) => one !== all[at]);
  return {
    ...named,
    ...pulling,
    ...(mounted && { containers }),
    ...(mounted && initContainers.length > 0 && { initContainers }),
    ...(mounted && known === undefined && { volumes: [...volumes, tokenVolume(name)] }),
  };
}

/**
 * The pod after admission: with the defaults of its namespace, the token of its service account, its priority, the overhead of its runtime
 * class, and default tolerations.
 */
export function admitPod(content: StoredContent, request: AdmittedRequest): StoredContent {
  const { before, user, store } = request;
  const spec = asJsonObject(content['spec']);
  if (before !== undefined) {
    const kept = asJsonObject(before['spec']);
    const missing = ['priority', 'preemptionPolicy'].filter((name) => spec[name] === undefined && kept[name] !== undefined);
    const tolerations = tolerationsOf(spec['tolerations']);
    if (missing.length === 0 && tolerations === spec['tolerations']) return content;
    const restored = Object.fromEntries(missing.map((name) => [name, kept[name]]));
    return { ...content, spec: { ...spec, ...restored, tolerations } };
  }
  // Objects that a test creates directly are not changed.
  if (user === undefined) {
    const priority = systemPriorities[asString(spec['priorityClassName'])] ?? 0;
    return {
      ...content,
      spec: { priority, preemptionPolicy: 'PreemptLowerPriority', ...spec, tolerations: tolerationsOf(spec['tolerations']) },
    };
  }
  const limited = withLimitDefaults(content, store);
  const limitedSpec = asJsonObject(limited['spec']);
  const placed = {
    ...limitedSpec,
    ...accountOf(limited, limitedSpec, request),
    ...priorityOf(limited, request),
    ...runtimeOf(limited, request),
  };
  return { ...limited, spec: { ...placed, tolerations: tolerationsOf(valueAt({ placed }, 'placed', 'tolerations')) } };
}
