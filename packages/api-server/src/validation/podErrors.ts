import { asJsonObject, asString, isJsonArray, isJsonObject, isEqualJson, valueAt, without, type Json, type JsonObject } from '../json.js';
import { duplicate, forbiddenField, invalidValue, notFoundValue, required, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { ipErrors } from './addressErrors.js';
import { containerErrors, profileErrors } from './containerErrors.js';
import { isFilled, itemsOf, nameErrors, repeatedErrors } from './fieldChecks.js';
import { podHostErrors } from './podHostErrors.js';
import { podVolumeErrors } from './podVolumeErrors.js';
import { labelErrors, labelSelectorErrors, nodeSelectorErrors, nodeTermErrors } from './selectorErrors.js';

type Findings = Generator<FieldError, void, undefined>;

function* dnsErrors(spec: JsonObject, path: string): Findings {
  const config = spec['dnsConfig'];
  const place = `${path}.dnsConfig`;
  const { nameservers, options } = asJsonObject(config);
  const none = spec['dnsPolicy'] === 'None';
  if (none && config === undefined) yield required(place, 'must provide `dnsConfig` when `dnsPolicy` is None');
  else if (none && !isFilled(nameservers))
    yield required(`${place}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None');
  else {
    for (const [at, server] of (isJsonArray(nameservers) ? nameservers : []).entries())
      yield* ipErrors(asString(server), `${place}.nameservers[${String(at)}]`);
    for (const [option, at] of itemsOf(options, `${place}.options`))
      if (asString(option['name']) === '') yield required(at, 'must not be empty');
  }
}

const sysctlPattern = '([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?';

function* sysctlErrors(list: Json | undefined, path: string): Findings {
  for (const [sysctl, at] of itemsOf(list, path)) {
    const name = asString(sysctl['name']);
    if (name !== '' && (name.length > 253 || !new RegExp(`^${sysctlPattern}$`).test(name)))
      yield invalidValue(`${at}.name`, JSON.stringify(name), `must have at most 253 characters and match regex ^${sysctlPattern}$`);
  }
}

/** Validation errors of the pod-level fields of a pod's security context. */
function* podContextErrors(spec: JsonObject, path: string): Findings {
  const context = asJsonObject(spec['securityContext']);
  const place = `${path}.securityContext`;
  if (!isFilled(context) && spec['shareProcessNamespace'] !== true) return;
  if (spec['shareProcessNamespace'] === true && spec['hostPID'] === true)
    yield invalidValue(`${place}.shareProcessNamespace`, 'true', 'ShareProcessNamespace and HostPID cannot both be enabled');
  yield* sysctlErrors(context['sysctls'], `${place}.sysctls`);
  yield* profileErrors(context['seccompProfile'], `${place}.seccompProfile`);
  yield* profileErrors(context['appArmorProfile'], `${place}.appArmorProfile`);
}

/** Validation errors of tolerations. */
export function* tolerationErrors(list: Json | undefined, path: string): Findings {
  for (const [toleration, at] of itemsOf(list, path)) {
    const [key, operator] = [asString(toleration['key']), asString(toleration['operator'])];
    const [value, effect] = [asString(toleration['value']), asString(toleration['effect'])];
    if (key === '' && operator !== 'Exists')
      yield invalidValue(`${at}.operator`, JSON.stringify(operator), 'must be Exists when `key` is empty');
    if (toleration['tolerationSeconds'] !== undefined && effect !== 'NoExecute')
      yield invalidValue(`${at}.effect`, JSON.stringify(effect), "effect must be 'NoExecute' when `tolerationSeconds` is set");
    if (operator === 'Exists' && value !== '')
      yield invalidValue(`${at}.operator`, JSON.stringify(value), "value must be empty when `operator` is 'Exists'");
  }
}

const needed = 'requiredDuringSchedulingIgnoredDuringExecution';
const wished = 'preferredDuringSchedulingIgnoredDuringExecution';

function* podTermErrors({ labelSelector, namespaceSelector, namespaces }: JsonObject, at: string): Findings {
  yield* labelSelectorErrors(labelSelector, `${at}.labelSelector`);
  yield* labelSelectorErrors(namespaceSelector, `${at}.namespaceSelector`);
  for (const name of isJsonArray(namespaces) ? namespaces : []) yield* nameErrors('label', asString(name), `${at}.namespace`);
}

function* affinityErrors(value: Json | undefined, path: string): Findings {
  const { nodeAffinity, podAffinity, podAntiAffinity } = asJsonObject(value);
  const own = asJsonObject(nodeAffinity);
  if (isJsonObject(own[needed])) yield* nodeSelectorErrors(own[needed], `${path}.nodeAffinity.${needed}`);
  for (const [{ preference }, at] of itemsOf(own[wished], `${path}.nodeAffinity.${wished}`))
    yield* nodeTermErrors(asJsonObject(preference), `${at}.preference`);
  for (const [name, affinity] of [
    ['podAffinity', podAffinity],
    ['podAntiAffinity', podAntiAffinity],
  ] as const) {
    for (const [term, at] of itemsOf(asJsonObject(affinity)[needed], `${path}.${name}.${needed}`)) yield* podTermErrors(term, at);
    for (const [{ podAffinityTerm }, at] of itemsOf(asJsonObject(affinity)[wished], `${path}.${name}.${wished}`))
      yield* podTermErrors(asJsonObject(podAffinityTerm), `${at}.podAffinityTerm`);
  }
}

function* spreadErrors(list: Json | undefined, path: string): Findings {
  const pairs = new Set<string>();
  for (const [constraint, at] of itemsOf(list, path)) {
    const { whenUnsatisfiable, topologyKey, labelSelector } = constraint;
    const pair = `{${asString(topologyKey)}, ${asString(whenUnsatisfiable)}}`;
    if (pairs.has(pair)) yield duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, JSON.stringify(pair));
    pairs.add(pair);
    yield* labelSelectorErrors(labelSelector, `${at}.labelSelector`);
  }
}

const notOnWindows = (
  'appArmorProfile seLinuxOptions hostUsers hostPID hostIPC seccompProfile fsGroup fsGroupChangePolicy sysctls shareProcessNamespace runAsUser ' +
  'runAsGroup supplementalGroups supplementalGroupsPolicy'
).split(' ');
function* systemErrors(spec: JsonObject, path: string): Findings {
  if (valueAt(spec['os'], 'name') !== 'windows') return;
  const [context, place] = [asJsonObject(spec['securityContext']), `${path}.securityContext`];
  for (const field of notOnWindows)
    if ((context[field] ?? spec[field]) !== undefined) yield forbiddenField(`${place}.${field}`, 'cannot be set for a windows pod');
}

function* hostNetworkErrors(spec: JsonObject, path: string, isPod: boolean): Findings {
  if (spec['hostNetwork'] !== true) return;
  for (const [container, at] of itemsOf(spec['containers'], `${path}.containers`))
    for (const [{ hostPort = 0, containerPort }, place] of itemsOf(container['ports'], `${at}.ports`))
      if ((isPod || hostPort !== 0) && hostPort !== containerPort)
        yield invalidValue(`${place}.hostPort`, JSON.stringify(hostPort), 'must match `containerPort` when `hostNetwork` is true');
}

function* gateErrors(spec: JsonObject, path: string): Findings {
  const seen = new Set<string>();
  for (const [{ name }, at] of itemsOf(spec['schedulingGates'], `${path}.schedulingGates`)) {
    if (seen.has(asString(name))) yield duplicate(at, JSON.stringify(name));
    seen.add(asString(name));
  }
}

/** Validation errors of the runtime fields of a pod. */
function* runtimeErrors(spec: JsonObject, path: string, isPod: boolean): Findings {
  yield* hostNetworkErrors(spec, path, isPod);
  yield* labelErrors(spec['nodeSelector'], `${path}.nodeSelector`);
  yield* podContextErrors(spec, path);
  if (spec['affinity'] !== undefined) yield* affinityErrors(spec['affinity'], `${path}.affinity`);
  if (spec['dnsConfig'] !== undefined || spec['dnsPolicy'] === 'None') yield* dnsErrors(spec, path);
  for (const [alias, at] of itemsOf(spec['hostAliases'], `${path}.hostAliases`)) yield* ipErrors(asString(alias['ip']), `${at}.ip`);
  yield* gateErrors(spec, path);
  yield* spreadErrors(spec['topologySpreadConstraints'], `${path}.topologySpreadConstraints`);
  yield* podHostErrors(spec, path);
  const node = asString(spec['nodeName']);
  if (node !== '') yield* nameErrors('subdomain', node, `${path}.nodeName`);
  yield* tolerationErrors(spec['tolerations'], `${path}.tolerations`);
  yield* systemErrors(spec, path);
}

/** Validation errors of the spec of a pod or pod template. `claims` are the volumes that a stateful set adds. */
export function* podSpecErrors(value: Json | undefined, path: string, claims: readonly string[] = [], isPod = false): Findings {
  const spec = asJsonObject(value);
  const volumes = new Set<string>();
  yield* podVolumeErrors(spec, `${path}.volumes`, volumes, isPod);
  for (const claim of claims) volumes.add(claim);
  const resourceClaims = [...itemsOf(spec['resourceClaims'], '')].map(([claim]) => asString(claim['name']));
  const pod = { volumes, resourceClaims, isPod, hasHostUsers: spec['hostUsers'] !== false };
  const names = new Set<Json>();
  yield* containerErrors(spec['containers'], `${path}.containers`, names, pod);
  yield* containerErrors(spec['initContainers'], `${path}.initContainers`, names, pod, true);
  if (isPod) yield* ephemeralErrors(spec, volumes);
  yield* runtimeErrors(spec, path, isPod);
}

function withImagesOf(containers: Json | undefined, before: Json | undefined): Json | undefined {
  if (!isJsonArray(containers)) return containers;
  return containers.map((container, at) => {
    const image = isJsonArray(before) ? valueAt(before[at], 'image') : undefined;
    const rest = asJsonObject(container);
    return image === undefined ? without(rest, 'image') : { ...rest, image };
  });
}

/** What a container that is added to a running pod can have. */
const ofEphemeral = new Set(
  (
    'name image command args workingDir envFrom env volumeMounts volumeDevices terminationMessagePath terminationMessagePolicy imagePullPolicy ' +
    'securityContext stdin stdinOnce tty targetContainerName restartPolicyRules'
  ).split(' '),
);

/** Validation errors of the containers that are added to a running pod. */
function* ephemeralErrors(spec: JsonObject, volumes: ReadonlySet<string>): Findings {
  if (spec['ephemeralContainers'] === undefined) return;
  const others = ['containers', 'initContainers'].flatMap((list) => itemsOf(spec[list], ''));
  const names = new Set(others.map(([{ name = '' }]) => name));
  for (const [container, at] of itemsOf(spec['ephemeralContainers'], 'spec.ephemeralContainers')) {
    yield* repeatedErrors(container, at, names);
    const aim = asString(container['targetContainerName']);
    if (aim !== '' && !others.some(([one]) => one['name'] === aim)) yield notFoundValue(`${at}.targetContainerName`, JSON.stringify(aim));
    for (const [field, value] of Object.entries(container))
      if (!ofEphemeral.has(field) && (!isJsonObject(value) || isFilled(value)))
        yield forbiddenField(`${at}.${field}`, 'cannot be set for an Ephemeral Container');
    for (const [mount, place] of itemsOf(container['volumeMounts'], `${at}.volumeMounts`))
      if (!volumes.has(asString(mount['name']))) yield notFoundValue(`${place}.name`, JSON.stringify(asString(mount['name'])));
  }
}

const alwaysFree = ['activeDeadlineSeconds', 'tolerations', 'schedulingGates'];

/** A spec with all that an update can change as it was before: the node is set by binding the pod to it. */
function withFixed(spec: JsonObject, before: JsonObject): JsonObject {
  const free = [...alwaysFree];
  // What a pod needs of its node can be added until it is scheduled.
  const others = (pod: JsonObject): JsonObject => without(asJsonObject(pod['affinity']), 'nodeAffinity');
  if (isFilled(before['schedulingGates'])) free.push('nodeSelector', ...(isEqualJson(others(spec), others(before)) ? ['affinity'] : []));
  const [was, is] = [before['terminationGracePeriodSeconds'], spec['terminationGracePeriodSeconds']];
  // A negative period may be changed to the shortest one.
  if (typeof was === 'number' && was < 0 && is === 1) free.push('terminationGracePeriodSeconds');
  const result: Record<string, Json | undefined> = { ...without(spec, ...free) };
  for (const name of free) if (before[name] !== undefined) result[name] = before[name];
  for (const name of ['containers', 'initContainers']) {
    const list = withImagesOf(spec[name], before[name]);
    if (list !== undefined) result[name] = list;
  }
  return result;
}

function sizesOf(value: Json | undefined): readonly number[] {
  return ['containers', 'initContainers'].map((name) => {
    const list = valueAt(value, name);
    return isJsonArray(list) ? list.length : 0;
  });
}

const changeable = 'pod updates may not change fields other than images, activeDeadlineSeconds, and tolerations that are added';

/** Validation errors of the fields of a pod's spec that can change in one direction only. */
function* changeErrors(was: JsonObject, is: JsonObject): Findings {
  const [before, after] = [was['activeDeadlineSeconds'], is['activeDeadlineSeconds']];
  if (typeof before === 'number' && typeof after !== 'number')
    yield invalidValue('spec.activeDeadlineSeconds', 'null', 'must not update from a positive integer to nil value');
  else if (typeof before === 'number' && typeof after === 'number' && after > before)
    yield invalidValue('spec.activeDeadlineSeconds', String(after), 'must be less than or equal to previous value');
  const gates = [...itemsOf(was['schedulingGates'], '')].map(([gate]) => gate['name']);
  for (const [{ name = '' }, at] of itemsOf(is['schedulingGates'], 'spec.schedulingGates'))
    if (!gates.includes(name))
      yield forbiddenField(`${at}.name`, `only deletion is allowed, but found new scheduling gate '${asString(name)}'`);
  const selected = asJsonObject(is['nodeSelector']);
  if (gates.length > 0 && Object.entries(asJsonObject(was['nodeSelector'])).some(([label, value]) => selected[label] !== value))
    yield invalidValue('spec.nodeSelector', JSON.stringify(selected), 'only additions are allowed');
  const kept = [...itemsOf(is['tolerations'], '')].map(([toleration]) => without(toleration, 'tolerationSeconds'));
  for (const [toleration] of itemsOf(was['tolerations'], '')) {
    if (kept.some((one) => isEqualJson(one, without(toleration, 'tolerationSeconds')))) continue;
    yield forbiddenField('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds');
    return;
  }
}

/** Validation errors of a pod. */
export function* podErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  // Only the images and a few numbers of a pod's spec can change: errors of an unchanged spec are tolerated.
  if (before !== undefined && isEqualJson(before['spec'], after['spec'])) return;
  yield* podSpecErrors(after['spec'], 'spec', [], true);
  if (before === undefined) {
    const isNew = (after.metadata.resourceVersion as string | undefined) === undefined || after.metadata.resourceVersion === '';
    if (isNew && isFilled(valueAt(after, 'spec', 'ephemeralContainers')))
      yield forbiddenField('spec.ephemeralContainers', 'cannot be set on create');
    return;
  }
  const [was, is] = [sizesOf(before['spec']), sizesOf(after['spec'])];
  const resized = ['containers', 'initContainers'].filter((_, at) => was[at] !== is[at]);
  for (const name of resized) yield forbiddenField(`spec.${name}`, 'pod updates may not add or remove containers');
  if (resized.length === 0) yield* changeErrors(asJsonObject(before['spec']), asJsonObject(after['spec']));
  const old = asJsonObject(before['spec']);
  const fixed = withFixed(asJsonObject(after['spec']), old);
  if (resized.length === 0 && !isEqualJson(old, fixed)) yield forbiddenField('spec', changeable);
}
