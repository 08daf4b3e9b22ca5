import { asJsonObject, asString, isJsonArray, isJsonObject, type Json, type JsonObject } from '../json.js';
import { duplicate, forbiddenField, invalidValue, notFoundValue, notSupported, required, type FieldError } from '../status/statusErrors.js';
import {
  choiceErrors,
  countErrors,
  descendingPathErrors,
  itemsOf,
  nameErrors,
  portErrors,
  portNameErrors,
  portOrNameErrors,
  qualifiedNameErrors,
} from './fieldChecks.js';
import { resourceErrors } from './resourceErrors.js';

type Findings = Generator<FieldError, void, undefined>;

/** The parts of a pod that its containers refer to. */
export interface PodSurroundings {
  /** False for a pod template, which has fewer rules. */
  readonly isPod: boolean;
  readonly volumes: ReadonlySet<string>;
  readonly resourceClaims: readonly string[];
  readonly gracePeriod: Json | undefined;
  /** Whether users of the pod are those of its node. */
  readonly hasHostUsers: boolean;
}

const fieldLabels = new Set(
  (
    'metadata.annotations metadata.labels metadata.name metadata.namespace metadata.uid spec.nodeName spec.restartPolicy spec.serviceAccountName ' +
    'spec.schedulerName status.phase status.hostIP status.hostIPs status.podIP status.podIPs'
  ).split(' '),
);
const environmentFields =
  'metadata.name metadata.namespace metadata.uid spec.nodeName spec.serviceAccountName status.hostIP status.hostIPs status.podIP status.podIPs'.split(
    ' ',
  );
const resourceFields = 'limits.cpu limits.ephemeral-storage limits.memory requests.cpu requests.ephemeral-storage requests.memory'.split(
  ' ',
);

/** Validation errors of a reference to a field of the pod; `allowed` lists the fields that are valid here. */
export function* fieldRefErrors(value: Json | undefined, path: string, allowed: readonly string[] = environmentFields): Findings {
  if (!isJsonObject(value)) return;
  const fieldPath = asString(value['fieldPath']);
  const place = `${path}.fieldPath`;
  if (fieldPath === '') {
    yield required(place);
    return;
  }
  const [, base = fieldPath, subscript] = /^(.*)\['(.*)'\]$/.exec(fieldPath) ?? [];
  if (subscript !== undefined && (base === 'metadata.labels' || base === 'metadata.annotations')) {
    yield* qualifiedNameErrors(base === 'metadata.annotations' ? subscript.toLowerCase() : subscript, path);
  } else if (subscript !== undefined && fieldLabels.has(base)) yield invalidValue(path, JSON.stringify(base), 'does not support subscript');
  else if (!fieldLabels.has(fieldPath))
    yield invalidValue(place, JSON.stringify(fieldPath), `error converting fieldPath: field label not supported: ${fieldPath}`);
  else if (!allowed.includes(fieldPath)) yield notSupported(place, JSON.stringify(fieldPath), allowed);
}

/** The valid divisors for each resource. */
const divisors: Readonly<Record<string, readonly string[]>> = {
  cpu: ['1m', '1'],
  memory: ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'],
};

/** Validation errors of a reference to a resource of a container. */
export function* resourceRefErrors(value: Json | undefined, path: string, inVolume: boolean): Findings {
  if (!isJsonObject(value)) return;
  const { resource, containerName, divisor } = value;
  const name = asString(resource);
  if (inVolume && asString(containerName) === '') yield required(`${path}.containerName`);
  else if (name === '') yield required(`${path}.resource`);
  else if (!resourceFields.includes(name) && !/^(limits|requests)\.hugepages-/.test(name))
    yield notSupported(`${path}.resource`, JSON.stringify(name), resourceFields);
  const measure = name.endsWith('.cpu') ? 'cpu' : 'memory';
  const amount = asString(divisor);
  const words =
    measure === 'cpu'
      ? '1m and 1 are supported with the cpu'
      : `${divisors['memory']?.join(', ') ?? ''} are supported with the ${name.split('.')[1] ?? ''}`;
  if (amount !== '' && amount !== '0' && resourceFields.includes(name) && divisors[measure]?.includes(amount) !== true)
    yield invalidValue(`${path}.divisor`, JSON.stringify(name), `only divisor's values ${words} resource`);
}

const sources = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'];

const keyProblem =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

function* keyRefErrors(value: Json | undefined, path: string): Findings {
  const key = asString(asJsonObject(value)['key']);
  if (key === '') return;
  const place = `${path}.key`;
  const shown = JSON.stringify(key);
  if (key.length > 253) yield invalidValue(place, shown, 'must be no more than 253 characters');
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) yield invalidValue(place, shown, keyProblem);
  if (key === '.' || key === '..') yield invalidValue(place, shown, `must not be '${key}'`);
  else if (key.startsWith('..')) yield invalidValue(place, shown, "must not start with '..'");
}

function* environmentErrors(container: JsonObject, at: string): Findings {
  for (const [variable, place] of itemsOf(container['env'], `${at}.env`)) {
    const name = asString(variable['name']);
    if (name !== '' && !/^[ -<>-~]+$/.test(name))
      yield invalidValue(
        `${place}.name`,
        JSON.stringify(name),
        "a valid environment variable name must consist only of printable ASCII characters other than '='",
      );
    const from = variable['valueFrom'];
    if (!isJsonObject(from)) continue;
    yield* fieldRefErrors(from['fieldRef'], `${place}.valueFrom.fieldRef`);
    yield* resourceRefErrors(from['resourceFieldRef'], `${place}.valueFrom.resourceFieldRef`, false);
    yield* keyRefErrors(from['configMapKeyRef'], `${place}.valueFrom.configMapKeyRef`);
    yield* keyRefErrors(from['secretKeyRef'], `${place}.valueFrom.secretKeyRef`);
    const count = sources.filter((source) => from[source] !== undefined).length;
    const where = `${place}.valueFrom`;
    if (count === 0)
      yield invalidValue(
        where,
        '""',
        'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
      );
    else if (asString(variable['value']) !== '') yield invalidValue(where, '""', 'may not be specified when `value` is not empty');
    else if (count > 1) yield invalidValue(where, '""', 'may not have more than one field specified at a time');
  }
  for (const [from] of itemsOf(container['envFrom'], '')) {
    const count = ['configMapRef', 'secretRef'].filter((source) => from[source] !== undefined).length;
    if (count === 0) yield invalidValue(`${at}.envFrom`, '""', 'must specify one of: `configMapRef` or `secretRef`');
    else if (count > 1) yield invalidValue(`${at}.envFrom`, '""', 'may not have more than one field specified at a time');
  }
}

function* containerPortErrors(container: JsonObject, at: string): Findings {
  const names = new Set<string>();
  for (const [port, place] of itemsOf(container['ports'], `${at}.ports`)) {
    const name = asString(port['name']);
    const problems = name === '' ? [] : [...portNameErrors(name, `${place}.name`)];
    yield* problems;
    if (name !== '' && problems.length === 0 && names.has(name)) yield duplicate(`${place}.name`, JSON.stringify(name));
    names.add(name);
    yield* portErrors(port['containerPort'], `${place}.containerPort`);
    if (port['hostPort'] !== 0) yield* portErrors(port['hostPort'], `${place}.hostPort`);
    yield* choiceErrors(port['protocol'], ['SCTP', 'TCP', 'UDP'], `${place}.protocol`);
  }
}

function* mountErrors(container: JsonObject, at: string, { volumes }: PodSurroundings): Findings {
  const paths = new Set<string>();
  for (const [mount, place] of itemsOf(container['volumeMounts'], `${at}.volumeMounts`)) {
    const [name, mountPath] = [asString(mount['name']), asString(mount['mountPath'])];
    if (!volumes.has(name)) yield notFoundValue(`${place}.name`, JSON.stringify(name));
    if (paths.has(mountPath)) yield invalidValue(`${place}.mountPath`, JSON.stringify(mountPath), 'must be unique');
    paths.add(mountPath);
    const [subPath, expression] = [asString(mount['subPath']), asString(mount['subPathExpr'])];
    if (subPath !== '') yield* descendingPathErrors(subPath, `${at}.volumeMounts.subPath`);
    if (expression !== '' && subPath !== '')
      yield invalidValue(`${place}.subPathExpr`, JSON.stringify(expression), 'subPathExpr and subPath are mutually exclusive');
    if (expression !== '') yield* descendingPathErrors(expression, `${at}.volumeMounts.subPathExpr`);
    const { mountPropagation } = mount;
    if (mountPropagation !== undefined) {
      yield* choiceErrors(mountPropagation, ['Bidirectional', 'HostToContainer', 'None'], `${at}.volumeMounts.mountPropagation`);
      if (mountPropagation === 'Bidirectional' && asJsonObject(container['securityContext'])['privileged'] !== true)
        yield forbiddenField(
          `${at}.volumeMounts.mountPropagation`,
          'Bidirectional mount propagation is available only to privileged containers',
        );
    }
  }
}

/** Validation errors of a user or group id. */
export function* idErrors(value: Json | undefined, path: string): Findings {
  if (typeof value === 'number' && (value < 0 || value > 2_147_483_647))
    yield invalidValue(path, String(value), 'must be between 0 and 2147483647, inclusive');
}

/** Validation errors of a seccomp or AppArmor profile. */
export function* profileErrors(value: Json | undefined, path: string): Findings {
  if (!isJsonObject(value)) return;
  const { type, localhostProfile } = value;
  if (type === 'Localhost' && localhostProfile === undefined)
    yield required(
      `${path}.localhostProfile`,
      path.endsWith('seccompProfile') ? 'must be set when seccomp type is Localhost' : 'must be set when AppArmor type is Localhost',
    );
  else if (type !== 'Localhost' && localhostProfile !== undefined) {
    const isSeccomp = path.endsWith('seccompProfile');
    const shown = isSeccomp ? { Type: type ?? '', LocalhostProfile: localhostProfile } : localhostProfile;
    yield invalidValue(
      `${path}.localhostProfile`,
      JSON.stringify(shown),
      `can only be set when ${isSeccomp ? 'seccomp' : 'AppArmor'} type is Localhost`,
    );
  } else if (type === 'Localhost') yield* descendingPathErrors(asString(localhostProfile), `${path}.localhostProfile`);
  if (type !== undefined) yield* choiceErrors(type, ['Localhost', 'RuntimeDefault', 'Unconfined'], `${path}.type`);
}

function* securityContextErrors(value: Json | undefined, path: string, { hasHostUsers }: PodSurroundings): Findings {
  if (!isJsonObject(value)) return;
  yield* idErrors(value['runAsUser'], `${path}.runAsUser`);
  yield* idErrors(value['runAsGroup'], `${path}.runAsGroup`);
  if (value['procMount'] !== undefined) yield* choiceErrors(value['procMount'], ['Default', 'Unmasked'], `${path}.procMount`);
  if (hasHostUsers && value['procMount'] === 'Unmasked')
    yield invalidValue(`${path}.procMount`, '"Unmasked"', '`hostUsers` must be false to use `Unmasked`');
  yield* profileErrors(value['seccompProfile'], `${path}.seccompProfile`);
  if (value['allowPrivilegeEscalation'] === false) {
    const shown = JSON.stringify(value);
    if (value['privileged'] === true)
      yield invalidValue(path, shown, 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true');
    const add = asJsonObject(value['capabilities'])['add'];
    if (isJsonArray(add) && add.includes('CAP_SYS_ADMIN'))
      yield invalidValue(path, shown, 'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN');
  }
  yield* profileErrors(value['appArmorProfile'], `${path}.appArmorProfile`);
}

const handlers = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'];

function* handlerErrors(handler: JsonObject, path: string, { gracePeriod }: PodSurroundings): Findings {
  const [first, ...more] = handlers.filter((name) => handler[name] !== undefined);
  if (first === undefined) yield required(path, 'must specify a handler type');
  else {
    const action = asJsonObject(handler[first]);
    const place = `${path}.${first}`;
    if (first === 'exec' && !(isJsonArray(action['command']) && action['command'].length > 0)) yield required(`${place}.command`);
    if (first === 'httpGet' || first === 'tcpSocket' || first === 'grpc') yield* portOrNameErrors(action['port'], `${place}.port`);
    if (first === 'httpGet' && action['scheme'] !== undefined) yield* choiceErrors(action['scheme'], ['HTTP', 'HTTPS'], `${place}.scheme`);
    for (const [header] of itemsOf(first === 'httpGet' ? action['httpHeaders'] : undefined, ''))
      if (!/^[-A-Za-z0-9]+$/.test(asString(header['name'])))
        yield invalidValue(
          `${place}.httpHeaders`,
          JSON.stringify(header['name'] ?? ''),
          "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')",
        );
    const { seconds } = action;
    const most = typeof gracePeriod === 'number' ? gracePeriod : 30;
    if (first === 'sleep' && typeof seconds === 'number' && (seconds < 0 || seconds > most))
      yield invalidValue(place, String(seconds), `must be non-negative and less than terminationGracePeriodSeconds (${String(most)})`);
  }
  for (const name of more) yield forbiddenField(`${path}.${name}`, 'may not specify more than 1 handler type');
}

const probeCounts = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];

function* probeErrors(
  value: Json | undefined,
  kind: 'livenessProbe' | 'readinessProbe' | 'startupProbe',
  at: string,
  pod: PodSurroundings,
): Findings {
  if (!isJsonObject(value)) return;
  const path = `${at}.${kind}`;
  yield* handlerErrors(value, path, pod);
  for (const name of probeCounts) yield* countErrors(value[name], `${path}.${name}`);
  const { terminationGracePeriodSeconds: period, successThreshold = 1 } = value;
  if (typeof period === 'number' && period <= 0)
    yield invalidValue(`${path}.terminationGracePeriodSeconds`, String(period), 'must be greater than 0');
  if (kind !== 'readinessProbe' && successThreshold !== 1)
    yield invalidValue(`${path}.successThreshold`, JSON.stringify(successThreshold), 'must be 1');
  if (kind === 'readinessProbe' && period !== undefined)
    yield invalidValue(`${path}.terminationGracePeriodSeconds`, JSON.stringify(period), 'must not be set for readinessProbes');
}

function* commonErrors(container: JsonObject, at: string, pod: PodSurroundings): Findings {
  const [name, image] = [asString(container['name']), asString(container['image'])];
  if (name !== '') yield* nameErrors('label', name, `${at}.name`);
  if (pod.isPod && image !== image.trim())
    yield invalidValue(`${at}.image`, JSON.stringify(image), 'must not have leading or trailing whitespace');
  if (container['terminationMessagePolicy'] !== undefined)
    yield* choiceErrors(container['terminationMessagePolicy'], ['File', 'FallbackToLogsOnError'], `${at}.terminationMessagePolicy`);
  yield* containerPortErrors(container, at);
  yield* environmentErrors(container, at);
  yield* mountErrors(container, at, pod);
  if (container['imagePullPolicy'] !== undefined)
    yield* choiceErrors(container['imagePullPolicy'], ['Always', 'IfNotPresent', 'Never'], `${at}.imagePullPolicy`);
  yield* resourceErrors(container['resources'], `${at}.resources`, pod.resourceClaims);
  yield* securityContextErrors(container['securityContext'], `${at}.securityContext`, pod);
}

function* hostPortErrors(list: Json | undefined, path: string): Findings {
  const taken = new Set<string>();
  for (const [container, at] of itemsOf(list, path))
    for (const [port, place] of itemsOf(container['ports'], `${at}.ports`)) {
      const { hostPort, hostIP, protocol = 'TCP' } = port;
      if (hostPort === undefined || hostPort === 0) continue;
      const id = `${asString(protocol)}/${asString(hostIP)}/${JSON.stringify(hostPort)}`;
      if (taken.has(id)) yield duplicate(`${place}.hostPort`, JSON.stringify(id));
      taken.add(id);
    }
}

function* runtimeErrors(container: JsonObject, at: string, pod: PodSurroundings): Findings {
  const lifecycle = asJsonObject(container['lifecycle']);
  for (const name of ['postStart', 'preStop'])
    if (isJsonObject(lifecycle[name])) yield* handlerErrors(lifecycle[name], `${at}.lifecycle.${name}`, pod);
  for (const kind of ['livenessProbe', 'readinessProbe', 'startupProbe'] as const) yield* probeErrors(container[kind], kind, at, pod);
}

function* takenErrors(container: JsonObject, at: string, names: Set<string>): Findings {
  const name = asString(container['name']);
  if (name !== '' && names.has(name)) yield duplicate(`${at}.name`, JSON.stringify(name));
  names.add(name);
}

/** Validation errors of the containers of a pod. */
export function* containerErrors(list: Json | undefined, path: string, names: Set<string>, pod: PodSurroundings): Findings {
  for (const [container, at] of itemsOf(list, path)) {
    yield* commonErrors(container, at, pod);
    yield* takenErrors(container, at, names);
    yield* runtimeErrors(container, at, pod);
    if (container['restartPolicy'] !== undefined)
      yield* choiceErrors(container['restartPolicy'], ['Always', 'Never', 'OnFailure'], `${at}.restartPolicy`);
  }
  yield* hostPortErrors(list, path);
}

/** Validation errors of init containers: only restartable ones may have probes. */
export function* initContainerErrors(list: Json | undefined, path: string, names: Set<string>, pod: PodSurroundings): Findings {
  for (const [container, at] of itemsOf(list, path)) {
    yield* commonErrors(container, at, pod);
    const { restartPolicy } = container;
    if (restartPolicy !== undefined) yield* choiceErrors(restartPolicy, ['Always', 'Never', 'OnFailure'], `${at}.restartPolicy`);
    yield* takenErrors(container, at, names);
    yield* hostPortErrors([container], path);
    if (restartPolicy === 'Always') yield* runtimeErrors(container, at, pod);
    else
      for (const name of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'])
        if (container[name] !== undefined)
          yield forbiddenField(`${at}.${name}`, 'may not be set for init containers without restartPolicy=Always');
  }
}
