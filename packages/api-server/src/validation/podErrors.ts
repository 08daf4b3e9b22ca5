import { asJsonObject, asString, isJsonArray, isJsonObject, jsonEqual, valueAt, without, type Json, type JsonObject } from '../json.js';
import { duplicate, forbiddenField, invalidValue, notFoundValue, required, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { nameProblem } from '../write/nameProblem.js';
import { ipErrors } from './addressErrors.js';
import { containerErrors, idErrors, initContainerErrors, profileErrors } from './containerErrors.js';
import { choiceErrors, isFilled, itemsOf, nameErrors, qualifiedNameErrors } from './fieldChecks.js';
import { podAnnotationErrors } from './podAnnotationErrors.js';
import { podHostErrors } from './podHostErrors.js';
import { podVolumeErrors } from './podVolumeErrors.js';
import { labelErrors, labelSelectorErrors, nodeSelectorErrors, nodeTermErrors } from './selectorErrors.js';

type Findings = Generator<FieldError, void, undefined>;

const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

function* dnsErrors(spec: JsonObject, path: string): Findings {
  const config = spec['dnsConfig'];
  const place = `${path}.dnsConfig`;
  const { nameservers, searches, options } = asJsonObject(config);
  const none = spec['dnsPolicy'] === 'None';
  if (none && config === undefined) yield required(place, 'must provide `dnsConfig` when `dnsPolicy` is None');
  else if (none && !isFilled(nameservers))
    yield required(`${place}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None');
  else {
    const servers = isJsonArray(nameservers) ? nameservers : [];
    if (servers.length > 3) yield invalidValue(`${place}.nameservers`, JSON.stringify(servers), 'must not have more than 3 nameservers');
    for (const [at, server] of servers.entries()) yield* ipErrors(asString(server), `${place}.nameservers[${String(at)}]`);
    if (isJsonArray(searches) && searches.length > 32)
      yield invalidValue(`${place}.searches`, JSON.stringify(searches), 'must not have more than 32 search paths');
    for (const [at, search] of (isJsonArray(searches) ? searches : []).entries()) {
      const name = asString(search).replace(/(.)\.$/, '$1');
      if (name !== '.') yield* nameErrors('dnsSearch', name, `${place}.searches[${String(at)}]`);
    }
    for (const [option, at] of itemsOf(options, `${place}.options`))
      if (asString(option['name']) === '') yield required(at, 'must not be empty');
  }
}

const sysctlPattern = '([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?';

function* sysctlErrors(list: Json | undefined, path: string): Findings {
  const names = new Set<string>();
  for (const [sysctl, at] of itemsOf(list, path)) {
    const name = asString(sysctl['name']);
    if (name === '') continue;
    if (name.length > 253 || !new RegExp(`^${sysctlPattern}$`).test(name))
      yield invalidValue(`${at}.name`, JSON.stringify(name), `must have at most 253 characters and match regex ^${sysctlPattern}$`);
    else if (names.has(name)) yield duplicate(`${at}.name`, JSON.stringify(name));
    names.add(name);
  }
}

/** Validation errors of the pod-level fields of a pod's security context. */
function* podContextErrors(spec: JsonObject, path: string): Findings {
  const context = asJsonObject(spec['securityContext']);
  const place = `${path}.securityContext`;
  if (!isFilled(context) && spec['shareProcessNamespace'] !== true) return;
  yield* idErrors(context['fsGroup'], `${place}.fsGroup`);
  yield* idErrors(context['runAsUser'], `${place}.runAsUser`);
  yield* idErrors(context['runAsGroup'], `${place}.runAsGroup`);
  const groups = context['supplementalGroups'];
  for (const [at, group] of (isJsonArray(groups) ? groups : []).entries())
    yield* idErrors(group, `${place}.supplementalGroups[${String(at)}]`);
  if (spec['shareProcessNamespace'] === true && spec['hostPID'] === true)
    yield invalidValue(`${place}.shareProcessNamespace`, 'true', 'ShareProcessNamespace and HostPID cannot both be enabled');
  if (context['fsGroupChangePolicy'] !== undefined)
    yield* choiceErrors(context['fsGroupChangePolicy'], ['Always', 'OnRootMismatch'], `${place}.fsGroupChangePolicy`);
  yield* sysctlErrors(context['sysctls'], `${place}.sysctls`);
  yield* profileErrors(context['seccompProfile'], `${place}.seccompProfile`);
  yield* profileErrors(context['appArmorProfile'], `${place}.appArmorProfile`);
}

const tolerationOperators = ['Equal', 'Exists'];
const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Validation errors of tolerations. */
export function* tolerationErrors(list: Json | undefined, path: string): Findings {
  for (const [toleration, at] of itemsOf(list, path)) {
    const [key, operator] = [asString(toleration['key']), asString(toleration['operator'])];
    const [value, effect] = [asString(toleration['value']), asString(toleration['effect'])];
    if (key !== '') yield* qualifiedNameErrors(key, `${at}.key`);
    if (key === '' && operator !== 'Exists')
      yield invalidValue(
        `${at}.operator`,
        JSON.stringify(operator),
        'operator must be Exists when `key` is empty, which means "match all values and all keys"',
      );
    if (toleration['tolerationSeconds'] !== undefined && effect !== 'NoExecute')
      yield invalidValue(`${at}.effect`, JSON.stringify(effect), "effect must be 'NoExecute' when `tolerationSeconds` is set");
    const wrongValue = nameProblem(value, 'labelValue');
    if (operator === 'Exists' && value !== '')
      yield invalidValue(`${at}.operator`, JSON.stringify(value), "value must be empty when `operator` is 'Exists'");
    else if ((operator === 'Equal' || operator === '') && wrongValue !== '')
      yield invalidValue(`${at}.operator`, JSON.stringify(value), wrongValue);
    else if (operator !== '') yield* choiceErrors(operator, tolerationOperators, `${at}.operator`);
    if (effect !== '') yield* choiceErrors(effect, taintEffects, `${at}.effect`);
  }
}

function* weightErrors({ weight }: JsonObject, at: string): Findings {
  if (typeof weight === 'number' && (weight < 1 || weight > 100))
    yield invalidValue(`${at}.weight`, String(weight), 'must be in the range 1-100');
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
  if (isJsonObject(own[needed])) {
    yield* nodeSelectorErrors(own[needed], `${path}.nodeAffinity.${needed}`);
  }
  for (const [preferred, at] of itemsOf(own[wished], `${path}.nodeAffinity.${wished}`)) {
    yield* weightErrors(preferred, at);
    yield* nodeTermErrors(asJsonObject(preferred['preference']), `${at}.preference`);
  }
  for (const [name, affinity] of [
    ['podAffinity', podAffinity],
    ['podAntiAffinity', podAntiAffinity],
  ] as const) {
    for (const [term, at] of itemsOf(asJsonObject(affinity)[needed], `${path}.${name}.${needed}`)) yield* podTermErrors(term, at);
    for (const [preferred, at] of itemsOf(asJsonObject(affinity)[wished], `${path}.${name}.${wished}`)) {
      yield* weightErrors(preferred, at);
      yield* podTermErrors(asJsonObject(preferred['podAffinityTerm']), `${at}.podAffinityTerm`);
    }
  }
}

function* spreadErrors(list: Json | undefined, path: string): Findings {
  const pairs = new Set<string>();
  for (const [constraint, at] of itemsOf(list, path)) {
    const { maxSkew, whenUnsatisfiable, topologyKey, labelSelector, minDomains } = constraint;
    if (typeof maxSkew === 'number' && maxSkew < 1) yield invalidValue(`${at}.maxSkew`, String(maxSkew), 'must be greater than zero');
    if (whenUnsatisfiable !== undefined)
      yield* choiceErrors(whenUnsatisfiable, ['DoNotSchedule', 'ScheduleAnyway'], `${at}.whenUnsatisfiable`);
    const pair = `{${asString(topologyKey)}, ${asString(whenUnsatisfiable)}}`;
    if (pairs.has(pair)) yield duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, JSON.stringify(pair));
    pairs.add(pair);
    if (typeof minDomains === 'number' && minDomains < 1)
      yield invalidValue(`${at}.minDomains`, String(minDomains), 'must be greater than zero');
    for (const name of ['nodeAffinityPolicy', 'nodeTaintsPolicy'])
      yield* choiceErrors(constraint[name], ['Honor', 'Ignore'], `${at}.${name}`);
    yield* labelSelectorErrors(labelSelector, `${at}.labelSelector`);
  }
}

const notOnWindows = (
  'appArmorProfile seLinuxOptions hostUsers hostPID hostIPC seccompProfile fsGroup fsGroupChangePolicy sysctls shareProcessNamespace runAsUser ' +
  'runAsGroup supplementalGroups supplementalGroupsPolicy'
).split(' ');
const containersNotOnWindows =
  'appArmorProfile seLinuxOptions seccompProfile capabilities readOnlyRootFilesystem privileged allowPrivilegeEscalation procMount runAsUser runAsGroup'.split(
    ' ',
  );

function* systemErrors(spec: JsonObject, path: string): Findings {
  const name = asString(valueAt(spec['os'], 'name'));
  if (name === '') return;
  yield* choiceErrors(name, ['linux', 'windows'], `${path}.os.name`);
  const context = asJsonObject(spec['securityContext']);
  const place = `${path}.securityContext`;
  const containers = ['initContainers', 'containers'].flatMap((list) => [...itemsOf(spec[list], `${path}.${list}`)]);
  const contexts = containers.map(([container, at]) => [asJsonObject(container['securityContext']), `${at}.securityContext`] as const);
  if (name === 'linux') {
    for (const [own, at] of [[context, place] as const, ...contexts])
      if (own['windowsOptions'] !== undefined)
        yield forbiddenField(`${at}.windowsOptions`, 'windows options cannot be set for a linux pod');
  }
  if (name !== 'windows') return;
  const detail = 'cannot be set for a windows pod';
  for (const field of notOnWindows) if ((context[field] ?? spec[field]) !== undefined) yield forbiddenField(`${place}.${field}`, detail);
  for (const [own, at] of contexts)
    for (const field of containersNotOnWindows) if (own[field] !== undefined) yield forbiddenField(`${at}.${field}`, detail);
}

function* hostNetworkErrors(spec: JsonObject, path: string, isPod: boolean): Findings {
  if (spec['hostNetwork'] !== true) return;
  for (const [container, at] of itemsOf(spec['containers'], `${path}.containers`))
    for (const [{ hostPort = 0, containerPort }, place] of itemsOf(container['ports'], `${at}.ports`))
      if ((isPod || hostPort !== 0) && hostPort !== containerPort)
        yield invalidValue(`${place}.hostPort`, JSON.stringify(hostPort), 'must match `containerPort` when `hostNetwork` is true');
}

function* gateErrors(spec: JsonObject, path: string): Findings {
  for (const [gate, at] of itemsOf(spec['readinessGates'], `${path}.readinessGates`)) {
    yield* qualifiedNameErrors(asString(gate['conditionType']), `${at}.conditionType`);
  }
  const seen = new Set<string>();
  for (const [gate, at] of itemsOf(spec['schedulingGates'], `${path}.schedulingGates`)) {
    const name = asString(gate['name']);
    yield* qualifiedNameErrors(name, at);
    if (seen.has(name)) yield duplicate(at, JSON.stringify(name));
    seen.add(name);
  }
}

/** Validation errors of names inside a pod: hostname, subdomain, aliases. */
function* ownNameErrors(spec: JsonObject, path: string): Findings {
  const names = [
    ['serviceAccountName', 'subdomain'],
    ['nodeName', 'subdomain'],
  ] as const;
  for (const [field, syntax] of names) {
    const name = asString(spec[field]);
    if (name !== '') yield* nameErrors(syntax, name, `${path}.${field}`);
  }
  const { activeDeadlineSeconds: deadline } = spec;
  if (typeof deadline === 'number' && (deadline < 1 || deadline > 2_147_483_647))
    yield invalidValue(`${path}.activeDeadlineSeconds`, String(deadline), 'must be between 1 and 2147483647, inclusive');
  for (const field of ['hostname', 'subdomain']) {
    const name = asString(spec[field]);
    if (name !== '') yield* nameErrors('label', name, `${path}.${field}`);
  }
}

const restartPolicies = ['Always', 'OnFailure', 'Never'];

/** Validation errors of the runtime fields of a pod. */
function* runtimeErrors(spec: JsonObject, path: string, isPod: boolean): Findings {
  yield* hostNetworkErrors(spec, path, isPod);
  yield* choiceErrors(spec['restartPolicy'], restartPolicies, `${path}.restartPolicy`);
  yield* choiceErrors(spec['dnsPolicy'], dnsPolicies, `${path}.dnsPolicy`);
  yield* labelErrors(spec['nodeSelector'], `${path}.nodeSelector`);
  yield* podContextErrors(spec, path);
  if (spec['affinity'] !== undefined) yield* affinityErrors(spec['affinity'], `${path}.affinity`);
  if (spec['dnsConfig'] !== undefined || spec['dnsPolicy'] === 'None') yield* dnsErrors(spec, path);
  for (const [alias, at] of itemsOf(spec['hostAliases'], `${path}.hostAliases`)) yield* ipErrors(asString(alias['ip']), `${at}.ip`);
  yield* gateErrors(spec, path);
  yield* spreadErrors(spec['topologySpreadConstraints'], `${path}.topologySpreadConstraints`);
  yield* podHostErrors(spec, path);
  yield* ownNameErrors(spec, path);
  yield* tolerationErrors(spec['tolerations'], `${path}.tolerations`);
  yield* choiceErrors(spec['preemptionPolicy'], ['PreemptLowerPriority', 'Never'], `${path}.preemptionPolicy`);
  yield* systemErrors(spec, path);
}

/** The grace period; a negative one counts as the shortest. */
function graceOf({ terminationGracePeriodSeconds: seconds }: JsonObject): Json | undefined {
  return typeof seconds === 'number' && seconds < 0 ? 1 : seconds;
}

/** Validation errors of the spec of a pod or pod template. `claims` are the volumes that a stateful set adds. */
export function* podSpecErrors(value: Json | undefined, path: string, claims: readonly string[] = [], isPod = false): Findings {
  const spec = asJsonObject(value);
  const volumes = new Set<string>();
  yield* podVolumeErrors(spec, `${path}.volumes`, volumes, isPod);
  for (const claim of claims) volumes.add(claim);
  const resourceClaims = [...itemsOf(spec['resourceClaims'], '')].map(([claim]) => asString(claim['name']));
  const pod = { volumes, resourceClaims, gracePeriod: graceOf(spec), isPod, hasHostUsers: spec['hostUsers'] !== false };
  const names = new Set<string>();
  yield* containerErrors(spec['containers'], `${path}.containers`, names, pod);
  yield* initContainerErrors(spec['initContainers'], `${path}.initContainers`, names, pod);
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
  const others = new Set(
    ['containers', 'initContainers'].flatMap((list) => [...itemsOf(spec[list], '')].map(([one]) => asString(one['name']))),
  );
  const names = new Set(others);
  for (const [container, at] of itemsOf(spec['ephemeralContainers'], 'spec.ephemeralContainers')) {
    const [name, target] = [asString(container['name']), asString(container['targetContainerName'])];
    if (name === '') yield required(`${at}.name`);
    else yield* nameErrors('label', name, `${at}.name`);
    if (asString(container['image']) === '') yield required(`${at}.image`);
    if (names.has(name)) yield duplicate(`${at}.name`, JSON.stringify(name));
    names.add(name);
    if (target !== '' && !others.has(target)) yield notFoundValue(`${at}.targetContainerName`, JSON.stringify(target));
    for (const [field, value] of Object.entries(container))
      if (!ofEphemeral.has(field) && (!isJsonObject(value) || isFilled(value)))
        yield forbiddenField(`${at}.${field}`, 'cannot be set for an Ephemeral Container');
    for (const [mount, place] of itemsOf(container['volumeMounts'], `${at}.volumeMounts`))
      if (!volumes.has(asString(mount['name']))) yield notFoundValue(`${place}.name`, JSON.stringify(asString(mount['name'])));
    for (const [mount, place] of itemsOf(container['volumeMounts'], `${at}.volumeMounts`))
      for (const field of ['subPath', 'subPathExpr'])
        if (asString(mount[field]) !== '') yield forbiddenField(`${place}.${field}`, 'cannot be set for an Ephemeral Container');
  }
}

const alwaysFree = ['activeDeadlineSeconds', 'tolerations', 'schedulingGates'];

/** A spec with all that an update can change as it was before: the node is set by binding the pod to it. */
function withFixed(spec: JsonObject, before: JsonObject): JsonObject {
  const free = [...alwaysFree];
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

const changeable =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,' +
  '`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was ' +
  'previously negative)';

/** Validation errors of the fields of a pod's spec that can change in one direction only. */
function* changeErrors(was: JsonObject, is: JsonObject): Findings {
  const [before, after] = [was['activeDeadlineSeconds'], is['activeDeadlineSeconds']];
  if (typeof before === 'number' && typeof after !== 'number')
    yield invalidValue('spec.activeDeadlineSeconds', 'null', 'must not update from a positive integer to nil value');
  else if (typeof before === 'number' && typeof after === 'number' && after > before)
    yield invalidValue('spec.activeDeadlineSeconds', String(after), 'must be less than or equal to previous value');
  const gates = new Set([...itemsOf(was['schedulingGates'], '')].map(([gate]) => asString(gate['name'])));
  for (const [gate, at] of itemsOf(is['schedulingGates'], 'spec.schedulingGates'))
    if (!gates.has(asString(gate['name'])))
      yield forbiddenField(at, `only deletion is allowed, but found new scheduling gate '${asString(gate['name'])}'`);
  const kept = [...itemsOf(is['tolerations'], '')].map(([toleration]) => without(toleration, 'tolerationSeconds'));
  for (const [toleration] of itemsOf(was['tolerations'], '')) {
    if (kept.some((one) => jsonEqual(one, without(toleration, 'tolerationSeconds')))) continue;
    yield forbiddenField('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds');
    return;
  }
}

/** Validation errors of a pod. */
export function* podErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  // Only the images and a few numbers of a pod's spec can change: errors of an unchanged spec are tolerated.
  if (after.metadata.annotations !== undefined) yield* podAnnotationErrors(after, 'metadata.annotations');
  if (before !== undefined && jsonEqual(before['spec'], after['spec'])) return;
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
  if (resized.length === 0 && !jsonEqual(old, fixed)) yield forbiddenField('spec', changeable);
}
