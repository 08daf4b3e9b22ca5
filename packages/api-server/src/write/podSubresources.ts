import { asJsonObject, isEqualJson, listAt, objectsAt, textAt, valueAt, without, type Json, type JsonObject } from '../json.js';
import { qosClassOf } from '../kinds/completePod.js';
import { forbiddenField, invalidValue, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';

/** Subresources of pods that change parts of the spec which are otherwise immutable. */
export const podSubresources: ReadonlySet<string> = new Set(['ephemeralcontainers', 'resize']);

function namesOf(containers: Json | undefined): readonly string[] {
  return listAt(containers).map((container) => textAt(container, 'name'));
}

/** What a resize cannot change: the policies, and the amounts of other resources than processor time and memory. */
function unsizedOf(containers: Json | undefined): Json {
  return listAt(containers).map((container) => {
    const kept = (list: string): Json => {
      const { cpu: _, memory: _memory, ...others } = asJsonObject(valueAt(container, 'resources', list));
      return others;
    };
    return [valueAt(container, 'resizePolicy') ?? null, kept('limits'), kept('requests')];
  });
}

/** The containers with the resources of a resize request. */
function resized(containers: Json | undefined, asked: Json | undefined): Json {
  const wanted = new Map(objectsAt(asked).map((container) => [textAt(container, 'name'), container]));
  return listAt(containers).map((container) => {
    const { resources, resizePolicy } = wanted.get(textAt(container, 'name')) ?? {};
    const change: JsonObject = { ...(resources && { resources }), ...(resizePolicy && { resizePolicy }) };
    return { ...asJsonObject(container), ...change };
  });
}

/** The pod after a write to one of these subresources. */
export function podThrough(subresource: string, existing: StoredContent, submitted: StoredContent): StoredContent {
  const [before, asked] = [asJsonObject(existing['spec']), asJsonObject(submitted['spec'])];
  const { ephemeralContainers, containers } = asked;
  if (subresource === 'ephemeralcontainers')
    return { ...existing, spec: { ...without(before, 'ephemeralContainers'), ...(ephemeralContainers && { ephemeralContainers }) } };
  const same = namesOf(before['containers']).join(' ') === namesOf(containers).join(' ');
  return { ...existing, spec: { ...before, containers: same ? resized(before['containers'], containers) : (containers ?? []) } };
}

/** Validation errors of the requests and limits that a resize takes away. */
function removedErrors(before: Json | undefined, after: Json | undefined): readonly FieldError[] {
  return listAt(before).flatMap((container, at) =>
    ['requests', 'limits'].flatMap((list) => {
      const left = asJsonObject(valueAt(listAt(after)[at], 'resources', list));
      if (Object.keys(asJsonObject(valueAt(container, 'resources', list))).every((name) => name in left)) return [];
      return [forbiddenField(`spec.containers[${String(at)}].resources.${list}`, `resource ${list} cannot be removed`)];
    }),
  );
}

/** Validation errors of a change through one of these subresources, in addition to those of the pod. */
export function podSubresourceErrors(subresource: string, existing: StoredContent, content: StoredContent): readonly FieldError[] {
  if (subresource === 'ephemeralcontainers') {
    const after = listAt(content, 'spec', 'ephemeralContainers');
    return objectsAt(existing, 'spec', 'ephemeralContainers')
      .filter((one) => !after.some((other) => isEqualJson(one, other)))
      .map(({ name = '' }) =>
        forbiddenField('spec.ephemeralContainers', `existing ephemeral containers ${JSON.stringify(name)} may not be changed or removed`),
      );
  }
  if (subresource !== 'resize') return [];
  const [before, after] = [valueAt(existing, 'spec', 'containers'), valueAt(content, 'spec', 'containers')];
  const errors: FieldError[] = [];
  const [was, is] = [textAt(existing, 'status', 'qosClass') || qosClassOf(existing), qosClassOf(content)];
  if (was !== is) errors.push(invalidValue('spec', JSON.stringify(was), 'Pod QOS Class may not change as a result of resizing'));
  const running = listAt(existing, 'status', 'containerStatuses').find((status) => valueAt(status, 'state', 'running') !== undefined);
  // The status has the containers' resources only if the node supports resizing.
  if (running !== undefined && valueAt(running, 'resources') === undefined)
    errors.push(forbiddenField('spec', 'Pod running on node without support for resize'));
  if (namesOf(before).join(' ') !== namesOf(after).join(' '))
    errors.push(forbiddenField('spec.containers', 'containers may not be added or removed on resize'));
  else if (!isEqualJson(unsizedOf(before), unsizedOf(after)))
    errors.push(forbiddenField('spec', 'only cpu and memory resources are mutable'));
  else errors.push(...removedErrors(before, after));
  return errors;
}
