import type { Cluster } from '../cluster.js';
import { asJsonObject, listAt, numberAt, textAt, valueAt, type Json, type JsonObject } from '../json.js';
import { invalidValue, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { isFilled } from '../validation/fieldChecks.js';

/** What is forbidden, and who in a pod has it: its containers and volumes by name, fields, or the pod itself. */
type Check = readonly [what: string, foundIn: (pod: Pod) => readonly string[]];

interface Pod {
  readonly spec: JsonObject;
  readonly security: JsonObject;
  readonly containers: readonly Container[];
}

interface Container {
  readonly fields: JsonObject;
  readonly security: JsonObject;
}

function podOf(spec: JsonObject): Pod {
  const containers = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((name) => listAt(spec, name).map(asJsonObject));
  return {
    spec,
    security: asJsonObject(spec['securityContext']),
    containers: containers.map((fields) => ({ fields, security: asJsonObject(fields['securityContext']) })),
  };
}

const nameOf = (value: Json): string => JSON.stringify(textAt(value, 'name'));

function ofContainers(what: string, isBad: (container: Container, pod: Pod) => boolean): Check {
  return [what, (pod) => pod.containers.filter((container) => isBad(container, pod)).map(({ fields }) => nameOf(fields))];
}

/** A check of the security contexts of the pod and of its containers. */
function ofContexts(what: string, isBad: (security: JsonObject) => boolean): Check {
  const [, inContainers] = ofContainers(what, ({ security }) => isBad(security));
  return [what, (pod) => [...(isBad(pod.security) ? ['pod'] : []), ...inContainers(pod)]];
}

function ofVolumes(what: string, isBad: (volume: Json) => boolean): Check {
  return [what, ({ spec }) => listAt(spec, 'volumes').filter(isBad).map(nameOf)];
}

const usualCapabilities = new Set<unknown>(
  `AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT`.split(' '),
);
const adds = ({ security }: Container, isBad: (name: Json) => boolean): boolean => listAt(security, 'capabilities', 'add').some(isBad);
const handlers = [['livenessProbe'], ['readinessProbe'], ['startupProbe'], ['lifecycle', 'postStart'], ['lifecycle', 'preStop']];
const hasHost = ({ fields }: Container): boolean =>
  handlers.some((path) => ['httpGet', 'tcpSocket'].some((way) => textAt(fields, ...path, way, 'host') !== ''));
const profiles = new Set(['', 'RuntimeDefault', 'Localhost']);
const linuxTypes = new Set(['', 'container_t', 'container_init_t', 'container_kvm_t', 'container_engine_t']);
const sysctls = new Set(
  `kernel.shm_rmid_forced net.ipv4.ip_local_port_range net.ipv4.ip_unprivileged_port_start net.ipv4.tcp_syncookies net.ipv4.ping_group_range
  net.ipv4.ip_local_reserved_ports net.ipv4.tcp_keepalive_time net.ipv4.tcp_fin_timeout net.ipv4.tcp_keepalive_intvl net.ipv4.tcp_keepalive_probes
  net.ipv4.tcp_rmem net.ipv4.tcp_wmem`.split(/\s+/),
);
const usualVolumes = ['configMap', 'csi', 'downwardAPI', 'emptyDir', 'ephemeral', 'image', 'persistentVolumeClaim', 'projected', 'secret'];

const baseline: readonly Check[] = [
  ofContexts('forbidden AppArmor profile', (security) => !profiles.has(textAt(security, 'appArmorProfile', 'type'))),
  ofContainers('non-default capabilities', (container) => adds(container, (name) => !usualCapabilities.has(name))),
  ['host namespaces', ({ spec }) => ['hostNetwork', 'hostPID', 'hostIPC'].filter((name) => spec[name] === true)],
  ofVolumes('hostPath volumes', (volume) => valueAt(volume, 'hostPath') !== undefined),
  ofContainers('hostPort', ({ fields }) => listAt(fields, 'ports').some((port) => numberAt(port, 'hostPort') !== 0)),
  ofContainers('probe or lifecycle host', hasHost),
  ofContainers('privileged', ({ security }) => security['privileged'] === true),
  ofContainers('procMount', ({ security }) => !['', 'Default'].includes(textAt(security, 'procMount'))),
  ofContexts('seLinuxOptions', ({ seLinuxOptions: options }) => {
    const isNamed = textAt(options, 'user') !== '' || textAt(options, 'role') !== '';
    return isNamed || !linuxTypes.has(textAt(options, 'type'));
  }),
  ofContexts('forbidden seccompProfile', (security) => !profiles.has(textAt(security, 'seccompProfile', 'type'))),
  [
    'forbidden sysctls',
    ({ security }) =>
      listAt(security, 'sysctls')
        .map((one) => textAt(one, 'name'))
        .filter((name) => !sysctls.has(name)),
  ],
  ofContexts('hostProcess', (security) => valueAt(security, 'windowsOptions', 'hostProcess') === true),
];

/** The checks, for pods that are not exempt. */
function unless(isExempt: (spec: JsonObject) => boolean, ...checks: readonly Check[]): readonly Check[] {
  return checks.map(([what, foundIn]) => [what, (pod) => (isExempt(pod.spec) ? [] : foundIn(pod))]);
}

const restricted: readonly Check[] = [
  ...baseline,
  ...unless(
    (spec) => valueAt(spec, 'os', 'name') === 'windows',
    ofContainers('allowPrivilegeEscalation != false', ({ security }) => security['allowPrivilegeEscalation'] !== false),
    ofContainers('capabilities.drop without "ALL"', ({ security }) => !listAt(security, 'capabilities', 'drop').includes('ALL')),
    ofContainers('unrestricted capabilities', (container) => adds(container, (name) => name !== 'NET_BIND_SERVICE')),
    ofContainers('no seccompProfile', ({ security }, pod) => (security['seccompProfile'] ?? pod.security['seccompProfile']) === undefined),
  ),
  ofVolumes('restricted volume types', (volume) => !usualVolumes.some((name) => valueAt(volume, name) !== undefined)),
  ...unless(
    (spec) => spec['hostUsers'] === false,
    ofContexts('runAsNonRoot=false', (security) => security['runAsNonRoot'] === false),
    ofContainers('runAsNonRoot != true', ({ security }, pod) => (security['runAsNonRoot'] ?? pod.security['runAsNonRoot']) !== true),
    ofContexts('runAsUser=0', (security) => security['runAsUser'] === 0),
  ),
];

const checksOf: Readonly<Record<string, readonly Check[]>> = { baseline, restricted };

/** The violations of a level by the spec of a pod, as one text. */
function violations(level: string, spec: JsonObject): string {
  const pod = podOf(spec);
  const found = (checksOf[level] ?? []).map(([what, foundIn]) => [what, foundIn(pod)] as const);
  return found
    .filter(([, who]) => who.length > 0)
    .map(([what, who]) => `${what} (${who.join(', ')})`)
    .join(', ');
}

const prefix = 'pod-security.kubernetes.io/';
const levels = ['privileged', 'baseline', 'restricted'];

/** Validation errors of the labels with which a namespace selects levels. */
export function* podSecurityLabelErrors({ metadata: { labels = {} } }: StoredContent): Generator<FieldError, void, undefined> {
  for (const mode of ['enforce', 'audit', 'warn']) {
    const [level, version] = [labels[`${prefix}${mode}`], labels[`${prefix}${mode}-version`]];
    const shown = (value: string): string => JSON.stringify(value);
    if (level !== undefined && !levels.includes(level))
      yield invalidValue(`metadata.labels[${prefix}${mode}]`, shown(level), `must be one of ${levels.join(', ')}`);
    if (version !== undefined && !/^(latest|v1\.(0|[1-9]\d*))$/.test(version))
      yield invalidValue(`metadata.labels[${prefix}${mode}-version]`, shown(version), 'must be "latest" or "v1.x"');
  }
}

/** The path to the pod spec in each kind. */
const podSpecs: Readonly<Record<string, readonly string[]>> = {
  '/pods': ['spec'],
  '/podtemplates': ['template', 'spec'],
  'batch/cronjobs': ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
  ...Object.fromEntries(
    ['/replicationcontrollers', 'apps/replicasets', 'apps/deployments', 'apps/statefulsets', 'apps/daemonsets', 'batch/jobs'].map((id) => [
      id,
      ['spec', 'template', 'spec'],
    ]),
  ),
};

/** The result of Pod Security admission for an object: a refusal and a warning. */
export function podSecurityOf(
  { store }: Cluster,
  bucketId: string,
  content: StoredContent,
): { readonly refusal?: string; readonly warning?: string } {
  const path = podSpecs[bucketId];
  if (path === undefined) return {};
  const labels = store.bucket('/namespaces').get(content.metadata.namespace ?? '')?.head.labels ?? {};
  const [enforced = '', chosen] = [labels[`${prefix}enforce`], labels[`${prefix}warn`]];
  // Without a label for warnings, the enforced level decides about them.
  const warned = chosen ?? enforced;
  if (enforced === '' && warned === '') return {};
  const spec = asJsonObject(valueAt(content, ...path));
  if (!isFilled(spec)) return {};
  const versionOf = (mode: string): string => labels[`${prefix}${mode}-version`] ?? 'latest';
  const version = labels[`${prefix}warn-version`] ?? versionOf(chosen === undefined ? 'enforce' : 'warn');
  const refused = bucketId === '/pods' ? violations(enforced, spec) : '';
  if (refused !== '') return { refusal: `violates PodSecurity "${enforced}:${versionOf('enforce')}": ${refused}` };
  const warning = violations(warned, spec);
  return warning === '' ? {} : { warning: `would violate PodSecurity "${warned}:${version}": ${warning}` };
}
