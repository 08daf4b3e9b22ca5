import { asJsonObject, asString, isJsonArray, jsonEqual, valueAt, without, type Json, type JsonObject } from '../json.js';
import { duplicate, forbiddenField, invalidValue, notFoundValue, notSupported, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { nameProblem } from '../write/nameProblem.js';
import { itemsOf, portErrors } from './fieldChecks.js';
import { resourceErrors } from './resourceErrors.js';

type Findings = Generator<FieldError, void, undefined>;

/** What is wrong with the name of an item that no other in its list may have. */
function* nameErrors(item: JsonObject, path: string, known: Set<string>): Findings {
  const name = asString(item['name']);
  const shown = JSON.stringify(name);
  const problem = nameProblem(name, 'label');
  if (name === '') return;
  if (problem !== '') yield invalidValue(`${path}.name`, shown, problem);
  else if (known.has(name)) yield duplicate(`${path}.name`, shown);
  known.add(name);
}

function* containerErrors(list: Json | undefined, path: string, names: Set<string>, volumes: ReadonlySet<string>): Findings {
  for (const [container, at] of itemsOf(list, path)) {
    yield* nameErrors(container, at, names);
    for (const [port, place] of itemsOf(container['ports'], `${at}.ports`))
      yield* portErrors(port['containerPort'], `${place}.containerPort`);
    yield* resourceErrors(container['resources'], `${at}.resources`);
    for (const [mount, place] of itemsOf(container['volumeMounts'], `${at}.volumeMounts`)) {
      const name = asString(mount['name']);
      if (!volumes.has(name)) yield notFoundValue(`${place}.name`, JSON.stringify(name));
    }
  }
}

const restartPolicies = ['Always', 'OnFailure', 'Never'];

/** What is wrong with the spec of a pod, or of a template of pods; a stateful set claims more volumes than the spec has. */
export function* podSpecErrors(value: Json | undefined, path: string, claims: readonly string[] = []): Findings {
  const spec = asJsonObject(value);
  const volumes = new Set<string>();
  for (const [volume, at] of itemsOf(spec['volumes'], `${path}.volumes`)) yield* nameErrors(volume, at, volumes);
  for (const claim of claims) volumes.add(claim);
  const names = new Set<string>();
  yield* containerErrors(spec['containers'], `${path}.containers`, names, volumes);
  yield* containerErrors(spec['initContainers'], `${path}.initContainers`, names, volumes);
  const { restartPolicy = 'Always' } = spec;
  if (!restartPolicies.includes(asString(restartPolicy)))
    yield notSupported(`${path}.restartPolicy`, JSON.stringify(restartPolicy), restartPolicies);
}

function withoutImages(containers: Json | undefined): Json {
  return isJsonArray(containers) ? containers.map((container) => without(asJsonObject(container), 'image')) : [];
}

const alwaysFree = ['activeDeadlineSeconds', 'tolerations', 'schedulingGates'];

/** What no update of a pod can change: the node is set by binding the pod to it. */
function fixedOf(value: Json | undefined): JsonObject {
  const spec = asJsonObject(value);
  const { containers, initContainers, terminationGracePeriodSeconds } = spec;
  // A negative period may become the shortest one.
  const period = typeof terminationGracePeriodSeconds === 'number' && terminationGracePeriodSeconds < 0 ? 1 : terminationGracePeriodSeconds;
  const images = { containers: withoutImages(containers), initContainers: withoutImages(initContainers) };
  return { ...without(spec, ...alwaysFree), ...images, ...(period !== undefined && { terminationGracePeriodSeconds: period }) };
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

/** What is wrong with a pod. */
export function* podErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  yield* podSpecErrors(after['spec'], 'spec');
  if (before === undefined) return;
  const [was, is] = [sizesOf(before['spec']), sizesOf(after['spec'])];
  const resized = ['containers', 'initContainers'].filter((_, at) => was[at] !== is[at]);
  for (const name of resized) yield forbiddenField(`spec.${name}`, 'pod updates may not add or remove containers');
  if (resized.length === 0 && !jsonEqual(fixedOf(before['spec']), fixedOf(after['spec']))) yield forbiddenField('spec', changeable);
}
