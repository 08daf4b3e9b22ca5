import type { Cluster } from '../cluster.js';
import { asJsonObject, asString, isJsonArray, valueAt, type Json, type JsonObject } from '../json.js';
import { invalidValue, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { isFilled } from '../validation/fieldChecks.js';

/** The result of one check of a pod: reason and detail of a violation; undefined for none. */
type Check = (pod: Pod) => readonly [reason: string, detail: string] | undefined;

interface Pod {
  readonly spec: JsonObject;
  readonly security: JsonObject;
  readonly containers: readonly Container[];
}

interface Container {
  readonly name: string;
  readonly fields: JsonObject;
  readonly security: JsonObject;
}

function podOf(spec: JsonObject): Pod {
  const lists = ['initContainers', 'containers', 'ephemeralContainers'].map((name) => spec[name]);
  const containers = lists.flatMap((list) => (isJsonArray(list) ? list.map(asJsonObject) : []));
  return {
    spec,
    security: asJsonObject(spec['securityContext']),
    containers: containers.map((fields) => ({ name: asString(fields['name']), fields, security: asJsonObject(fields['securityContext']) })),
  };
}

function quoted(texts: Iterable<string>): string {
  return [...texts].map((text) => JSON.stringify(text)).join(', ');
}

function sorted(texts: Iterable<string>): readonly string[] {
  return [...new Set(texts)].sort();
}

function plural(count: number, one: string): string {
  return count === 1 ? one : `${one}s`;
}

function named(containers: readonly Container[]): string {
  return `${plural(containers.length, 'container')} ${quoted(containers.map(({ name }) => name))}`;
}

/** A check that is made for each container separately. */
function ofContainers(reason: string, bad: (container: Container) => boolean, detail: (found: readonly Container[]) => string): Check {
  return ({ containers }) => {
    const found = containers.filter(bad);
    return found.length === 0 ? undefined : [reason, `${named(found)} ${detail(found)}`];
  };
}

function listOf(value: Json | undefined): readonly Json[] {
  return isJsonArray(value) ? value : [];
}

function textsOf(value: Json | undefined): readonly string[] {
  return listOf(value).map(asString);
}

const usualCapabilities = new Set(
  `AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT`.split(' '),
);
const added = ({ security }: Container): readonly string[] => textsOf(valueAt(security, 'capabilities', 'add'));
const hostPortsOf = ({ fields }: Container): readonly string[] =>
  listOf(fields['ports']).flatMap((port) => (valueAt(port, 'hostPort') ? [String(Number(valueAt(port, 'hostPort')))] : []));

const handlers = ['livenessProbe', 'readinessProbe', 'startupProbe'];
function hostsOf({ fields }: Container): readonly string[] {
  const { postStart, preStop } = asJsonObject(fields['lifecycle']);
  const all = [...handlers.map((name) => fields[name]), postStart, preStop];
  const hosts = all.flatMap((handler) => [valueAt(handler, 'httpGet', 'host'), valueAt(handler, 'tcpSocket', 'host')]);
  return hosts.map(asString).filter((host) => host !== '');
}

/** Names the pod and the containers whose security context has a forbidden value. */
function setters(pod: Pod, bad: (security: JsonObject) => boolean): string {
  const found = pod.containers.filter(({ security }) => bad(security));
  return [...(bad(pod.security) ? ['pod'] : []), ...(found.length === 0 ? [] : [named(found)])].join(' and ');
}

function valuesSet(pod: Pod, read: (security: JsonObject) => string, allowed: ReadonlySet<string>): readonly string[] {
  return sorted(
    [pod.security, ...pod.containers.map(({ security }) => security)].map(read).filter((value) => value !== '' && !allowed.has(value)),
  );
}

const profileOf = (name: string) => (security: JsonObject) => asString(valueAt(security, name, 'type'));
const profiles = new Set(['', 'RuntimeDefault', 'Localhost']);
const seccomp = profileOf('seccompProfile');
const appArmor = profileOf('appArmorProfile');
const procMounts = new Set(['', 'Default']);
const linuxTypes = new Set(['', 'container_t', 'container_init_t', 'container_kvm_t', 'container_engine_t']);
const sysctls = new Set(
  `kernel.shm_rmid_forced net.ipv4.ip_local_port_range net.ipv4.ip_unprivileged_port_start net.ipv4.tcp_syncookies net.ipv4.ping_group_range
  net.ipv4.ip_local_reserved_ports net.ipv4.tcp_keepalive_time net.ipv4.tcp_fin_timeout net.ipv4.tcp_keepalive_intvl net.ipv4.tcp_keepalive_probes
  net.ipv4.tcp_rmem net.ipv4.tcp_wmem`.split(/\s+/),
);

const volumesOf = ({ spec }: Pod): readonly JsonObject[] => listOf(spec['volumes']).map(asJsonObject);
const usualVolumes = ['configMap', 'csi', 'downwardAPI', 'emptyDir', 'ephemeral', 'image', 'persistentVolumeClaim', 'projected', 'secret'];

const unconfined: Check = (pod) => {
  const values = valuesSet(pod, seccomp, profiles);
  const who = setters(pod, (security) => !profiles.has(seccomp(security)));
  return who === '' ? undefined : ['seccompProfile', `${who} must not set securityContext.seccompProfile.type to ${quoted(values)}`];
};

const hostPaths: Check = (pod) => {
  const found = volumesOf(pod).filter((volume) => volume['hostPath'] !== undefined);
  const names = quoted(found.map((volume) => asString(volume['name'])));
  return found.length === 0 ? undefined : ['hostPath volumes', `${plural(found.length, 'volume')} ${names}`];
};

const usualAdded = ofContainers(
  'non-default capabilities',
  (container) => added(container).some((name) => !usualCapabilities.has(name)),
  (found) =>
    `must not include ${quoted(sorted(found.flatMap(added).filter((name) => !usualCapabilities.has(name))))} in securityContext.capabilities.add`,
);

/** The checks of the level `baseline`, in the order in which a real server reports them; `restricted` replaces those with the same name. */
const baseline: readonly (readonly [string, Check])[] = [
  [
    '',
    (pod) => {
      const values = valuesSet(pod, appArmor, profiles);
      const who = setters(pod, (security) => !profiles.has(appArmor(security)));
      return who === ''
        ? undefined
        : [plural(values.length, 'forbidden AppArmor profile'), `${who} must not set AppArmor profile type to ${quoted(values)}`];
    },
  ],
  ['capabilities', usualAdded],
  [
    '',
    ({ spec }) => {
      const found = ['hostNetwork', 'hostPID', 'hostIPC'].filter((name) => spec[name] === true).map((name) => `${name}=true`);
      return found.length === 0 ? undefined : ['host namespaces', found.join(', ')];
    },
  ],
  ['volumes', hostPaths],
  [
    '',
    ofContainers(
      'hostPort',
      (container) => hostPortsOf(container).length > 0,
      (found) => {
        const ports = sorted(found.flatMap(hostPortsOf));
        return `${found.length === 1 ? 'uses' : 'use'} ${plural(ports.length, 'hostPort')} ${ports.join(', ')}`;
      },
    ),
  ],
  [
    '',
    ofContainers(
      'probe or lifecycle host',
      (container) => hostsOf(container).length > 0,
      (found) => {
        const hosts = sorted(found.flatMap(hostsOf));
        return `${found.length === 1 ? 'uses' : 'use'} ${plural(hosts.length, 'probe or lifecycle host')} ${quoted(hosts)}`;
      },
    ),
  ],
  [
    '',
    ofContainers(
      'privileged',
      ({ security }) => security['privileged'] === true,
      () => 'must not set securityContext.privileged=true',
    ),
  ],
  [
    '',
    ofContainers(
      'procMount',
      ({ security }) => !procMounts.has(asString(security['procMount'])),
      (found) =>
        `must not set securityContext.procMount to ${quoted(sorted(found.map(({ security }) => asString(security['procMount']))))}`,
    ),
  ],
  [
    '',
    (pod) => {
      const options = (security: JsonObject): JsonObject => asJsonObject(security['seLinuxOptions']);
      const part =
        (name: string) =>
        (security: JsonObject): boolean =>
          asString(options(security)[name]) !== '';
      const who = setters(pod, (one) => part('user')(one) || part('role')(one) || !linuxTypes.has(asString(options(one)['type'])));
      const types = valuesSet(pod, (security) => asString(options(security)['type']), linuxTypes);
      const set = (name: string): boolean => setters(pod, part(name)) !== '';
      const what = [
        ...(types.length > 0 ? [`${plural(types.length, 'type')} ${quoted(types)}`] : []),
        ...['user', 'role'].filter(set).map((name) => `${name} may not be set`),
      ];
      return who === '' ? undefined : ['seLinuxOptions', `${who} set forbidden securityContext.seLinuxOptions: ${what.join('; ')}`];
    },
  ],
  ['seccompProfile', unconfined],
  [
    '',
    ({ security }) => {
      const found = listOf(security['sysctls'])
        .map((one) => asString(valueAt(one, 'name')))
        .filter((name) => !sysctls.has(name));
      return found.length === 0 ? undefined : ['forbidden sysctls', found.join(', ')];
    },
  ],
  [
    '',
    (pod) => {
      const who = setters(pod, (security) => valueAt(security, 'windowsOptions', 'hostProcess') === true);
      return who === '' ? undefined : ['hostProcess', `${who} must not set securityContext.windowsOptions.hostProcess=true`];
    },
  ],
];

const ofLinux =
  (check: Check): Check =>
  (pod) =>
    valueAt(pod.spec, 'os', 'name') === 'windows' ? undefined : check(pod);
const ownUsers =
  (check: Check): Check =>
  (pod) =>
    pod.spec['hostUsers'] === false ? undefined : check(pod);

const restricted: readonly Check[] = [
  ofLinux(
    ofContainers(
      'allowPrivilegeEscalation != false',
      ({ security }) => security['allowPrivilegeEscalation'] !== false,
      () => 'must set securityContext.allowPrivilegeEscalation=false',
    ),
  ),
  ofLinux(({ containers }) => {
    const keeping = containers.filter(({ security }) => !textsOf(valueAt(security, 'capabilities', 'drop')).includes('ALL'));
    const forbidden = (container: Container): readonly string[] => added(container).filter((name) => name !== 'NET_BIND_SERVICE');
    const adding = containers.filter((container) => forbidden(container).length > 0);
    const details = [
      ...(keeping.length > 0 ? [`${named(keeping)} must set securityContext.capabilities.drop=["ALL"]`] : []),
      ...(adding.length > 0
        ? [`${named(adding)} must not include ${quoted(sorted(adding.flatMap(forbidden)))} in securityContext.capabilities.add`]
        : []),
    ];
    return details.length === 0 ? undefined : ['unrestricted capabilities', details.join('; ')];
  }),
  (pod) => {
    const found = volumesOf(pod).filter((volume) => !usualVolumes.some((name) => volume[name] !== undefined));
    const kinds = sorted(found.map((volume) => Object.keys(volume).find((name) => name !== 'name') ?? 'unknown'));
    const names = quoted(found.map((volume) => asString(volume['name'])));
    const text = `${plural(found.length, 'volume')} ${names} ${found.length === 1 ? 'uses' : 'use'} ${plural(kinds.length, 'restricted volume type')} ${quoted(kinds)}`;
    return found.length === 0 ? undefined : ['restricted volume types', text];
  },
  ownUsers((pod) => {
    const explicit = setters(pod, (security) => security['runAsNonRoot'] === false);
    if (explicit !== '') return ['runAsNonRoot != true', `${explicit} must not set securityContext.runAsNonRoot=false`];
    const implicit = pod.containers.filter(
      ({ security }) => security['runAsNonRoot'] === undefined && pod.security['runAsNonRoot'] !== true,
    );
    return implicit.length === 0
      ? undefined
      : ['runAsNonRoot != true', `pod or ${named(implicit)} must set securityContext.runAsNonRoot=true`];
  }),
  ownUsers((pod) => {
    const who = setters(pod, (security) => security['runAsUser'] === 0);
    return who === '' ? undefined : ['runAsUser=0', `${who} must not set runAsUser=0`];
  }),
  ofLinux((pod) => {
    const explicit = unconfined(pod);
    if (explicit !== undefined) return explicit;
    const implicit = pod.containers.filter(({ security }) => seccomp(security) === '' && seccomp(pod.security) === '');
    const text = `pod or ${named(implicit)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`;
    return implicit.length === 0 ? undefined : ['seccompProfile', text];
  }),
];

const replaced = new Set(['capabilities', 'volumes', 'seccompProfile']);

/** The violations of a level by a pod. */
function violations(level: string, spec: JsonObject): string {
  if (level !== 'baseline' && level !== 'restricted') return '';
  const strict = level === 'restricted';
  const checks = [...baseline.filter(([name]) => !strict || !replaced.has(name)).map(([, check]) => check), ...(strict ? restricted : [])];
  const pod = podOf(spec);
  return checks
    .map((check) => check(pod))
    .filter((found) => found !== undefined)
    .map(([reason, detail]) => `${reason} (${detail})`)
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
