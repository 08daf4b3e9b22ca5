import { asJsonObject, asString, isJsonObject, type Json, type JsonObject } from '../json.js';
import { duplicate, forbiddenField, invalidValue, notFoundValue, required, type FieldError } from '../status/statusErrors.js';
import { descendingPathErrors, itemsOf, portNameErrors, portOrNameErrors, repeatedErrors } from './fieldChecks.js';
import { resourceErrors } from './resourceErrors.js';

type Findings = Generator<FieldError, void, undefined>;

/** The parts of a pod that its containers refer to. */
export interface PodSurroundings {
  /** False for a pod template, which has fewer rules. */
  readonly isPod: boolean;
  readonly volumes: ReadonlySet<string>;
  readonly resourceClaims: readonly string[];
  /** Whether users of the pod are those of its node. */
  readonly hasHostUsers: boolean;
}

const fieldLabels = new Set(
  (
    'metadata.annotations metadata.labels metadata.name metadata.namespace metadata.uid spec.nodeName spec.restartPolicy spec.serviceAccountName ' +
    'spec.schedulerName status.phase status.hostIP status.hostIPs status.podIP status.podIPs'
  ).split(' '),
);

/** Validation errors of a reference to a field of the pod. */
export function* fieldRefErrors(value: Json | undefined, path: string): Findings {
  if (!isJsonObject(value)) return;
  const fieldPath = asString(value['fieldPath']);
  if (fieldPath === '') yield required(`${path}.fieldPath`);
  else if (!fieldLabels.has(fieldPath.replace(/\['.*'\]$/, '')))
    yield invalidValue(`${path}.fieldPath`, JSON.stringify(fieldPath), 'must be a field of the pod that can be referred to');
}

/** Validation errors of a reference to a resource of a container. */
export function* resourceRefErrors(value: Json | undefined, path: string, inVolume: boolean): Findings {
  if (!isJsonObject(value)) return;
  if (inVolume && asString(value['containerName']) === '') yield required(`${path}.containerName`);
  else if (asString(value['resource']) === '') yield required(`${path}.resource`);
}

const sources = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'];

function* environmentErrors(container: JsonObject, at: string): Findings {
  for (const [variable, place] of itemsOf(container['env'], `${at}.env`)) {
    const from = variable['valueFrom'];
    if (!isJsonObject(from)) continue;
    yield* fieldRefErrors(from['fieldRef'], `${place}.valueFrom.fieldRef`);
    yield* resourceRefErrors(from['resourceFieldRef'], `${place}.valueFrom.resourceFieldRef`, false);
    const count = sources.filter((source) => from[source] !== undefined).length;
    const where = `${place}.valueFrom`;
    if (count > 0 && asString(variable['value']) !== '') yield invalidValue(where, '""', 'may not be specified when `value` is not empty');
    else if (count > 1) yield invalidValue(where, '""', 'may not have more than one field specified at a time');
  }
  for (const [from] of itemsOf(container['envFrom'], '')) {
    if (from['configMapRef'] === undefined && from['secretRef'] === undefined)
      yield invalidValue(`${at}.envFrom`, '""', 'must specify one of: `configMapRef` or `secretRef`');
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
  }
}

function* mountErrors(container: JsonObject, at: string, { volumes }: PodSurroundings): Findings {
  const paths = new Set<string>();
  for (const [mount, place] of itemsOf(container['volumeMounts'], `${at}.volumeMounts`)) {
    const [name, mountPath] = [asString(mount['name']), asString(mount['mountPath'])];
    if (!volumes.has(name)) yield notFoundValue(`${place}.name`, JSON.stringify(name));
    if (paths.has(mountPath)) yield invalidValue(`${place}.mountPath`, JSON.stringify(mountPath), 'must be unique');
    paths.add(mountPath);
    yield* descendingPathErrors(asString(mount['subPath']), `${at}.volumeMounts.subPath`);
  }
}

/** Validation errors of a seccomp or AppArmor profile. */
export function* profileErrors(value: Json | undefined, path: string): Findings {
  if (!isJsonObject(value)) return;
  const { type, localhostProfile } = value;
  const place = `${path}.localhostProfile`;
  if (type === 'Localhost' && localhostProfile === undefined) yield required(place, 'must be set when type is Localhost');
  else if (type !== 'Localhost' && localhostProfile !== undefined)
    yield invalidValue(place, JSON.stringify(localhostProfile), 'can only be set when type is Localhost');
}

function* securityContextErrors(value: Json | undefined, path: string, { hasHostUsers }: PodSurroundings): Findings {
  if (!isJsonObject(value)) return;
  if (hasHostUsers && value['procMount'] === 'Unmasked')
    yield invalidValue(`${path}.procMount`, '"Unmasked"', '`hostUsers` must be false to use `Unmasked`');
  yield* profileErrors(value['seccompProfile'], `${path}.seccompProfile`);
  if (value['allowPrivilegeEscalation'] === false && value['privileged'] === true)
    yield invalidValue(path, JSON.stringify(value), 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true');
  yield* profileErrors(value['appArmorProfile'], `${path}.appArmorProfile`);
}

const handlers = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'];

function* handlerErrors(handler: JsonObject, path: string): Findings {
  const [first, ...more] = handlers.filter((name) => handler[name] !== undefined);
  if (first === undefined) yield required(path, 'must specify a handler type');
  const { port, httpHeaders } = asJsonObject(handler[first ?? '']);
  if (first === 'httpGet' || first === 'tcpSocket' || first === 'grpc') yield* portOrNameErrors(port, `${path}.${first}.port`);
  for (const [{ name = '' }] of itemsOf(httpHeaders, ''))
    if (!/^[-A-Za-z0-9]+$/.test(asString(name)))
      yield invalidValue(`${path}.httpGet.httpHeaders`, JSON.stringify(name), 'must be the name of an HTTP header');
  for (const name of more) yield forbiddenField(`${path}.${name}`, 'may not specify more than 1 handler type');
}

function* probeErrors(value: Json | undefined, path: string, isReadiness: boolean): Findings {
  if (!isJsonObject(value)) return;
  yield* handlerErrors(value, path);
  const { successThreshold = 1 } = value;
  if (!isReadiness && successThreshold !== 1) yield invalidValue(`${path}.successThreshold`, JSON.stringify(successThreshold), 'must be 1');
}

function* commonErrors(container: JsonObject, at: string, pod: PodSurroundings): Findings {
  const image = asString(container['image']);
  if (pod.isPod && image !== image.trim())
    yield invalidValue(`${at}.image`, JSON.stringify(image), 'must not have leading or trailing whitespace');
  yield* containerPortErrors(container, at);
  yield* environmentErrors(container, at);
  yield* mountErrors(container, at, pod);
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

function* runtimeErrors(container: JsonObject, at: string): Findings {
  const lifecycle = asJsonObject(container['lifecycle']);
  for (const name of ['postStart', 'preStop'])
    if (isJsonObject(lifecycle[name])) yield* handlerErrors(lifecycle[name], `${at}.lifecycle.${name}`);
  for (const kind of ['livenessProbe', 'readinessProbe', 'startupProbe'])
    yield* probeErrors(container[kind], `${at}.${kind}`, kind === 'readinessProbe');
}

/** Validation errors of the containers of a pod. Of init containers only restartable ones may have probes. */
export function* containerErrors(list: Json | undefined, path: string, names: Set<Json>, pod: PodSurroundings, isInit = false): Findings {
  for (const [container, at] of itemsOf(list, path)) {
    yield* commonErrors(container, at, pod);
    if (container['name'] !== '') yield* repeatedErrors(container, at, names);
    if (!isInit || container['restartPolicy'] === 'Always') yield* runtimeErrors(container, at);
    else
      for (const name of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'])
        if (container[name] !== undefined)
          yield forbiddenField(`${at}.${name}`, 'may not be set for init containers without restartPolicy=Always');
  }
  if (!isInit) yield* hostPortErrors(list, path);
}
