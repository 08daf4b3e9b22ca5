import { valueAt, type Json, type JsonObject } from '../json.js';
import { forbiddenField, invalidValue, type FieldError } from '../status/statusErrors.js';
import { itemsOf } from './fieldChecks.js';

type Findings = Generator<FieldError, void, undefined>;

function containersOf(spec: JsonObject, path: string): readonly (readonly [JsonObject, string])[] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) => [...itemsOf(spec[list], `${path}.${list}`)]);
}

/** Validation errors of containers that are processes of a Windows host: all of a pod are, or none. */
function* hostProcessErrors(spec: JsonObject, path: string): Findings {
  const hostProcess = (owner: JsonObject): Json | undefined => valueAt(owner, 'securityContext', 'windowsOptions', 'hostProcess');
  const ofPod = hostProcess(spec);
  const containers = containersOf(spec, path);
  if (ofPod === undefined && containers.every(([container]) => hostProcess(container) === undefined)) return;
  const found = containers.filter(([container]) => (hostProcess(container) ?? ofPod) === true);
  if (found.length === 0) return;
  if (found.length < containers.length)
    yield invalidValue(path, '""', 'If pod contains any hostProcess containers then all containers must be HostProcess containers');
  if (spec['hostNetwork'] !== true)
    yield invalidValue(`${path}.hostNetwork`, 'false', 'hostNetwork must be true if pod contains any hostProcess containers');
}

/** Validation errors of what a pod with users of its own cannot share with its host. */
function* hostUsersErrors(spec: JsonObject, path: string): Findings {
  if (spec['hostUsers'] !== false) return;
  const shared = { hostNetwork: 'hostNetwork', hostPID: 'HostPID', hostIPC: 'HostIPC' };
  for (const [field, shown] of Object.entries(shared))
    if (spec[field] === true) yield forbiddenField(`${path}.${shown}`, 'when `hostUsers` is false');
}

/** Validation errors of what a pod shares with its host. */
export function* podHostErrors(spec: JsonObject, path: string): Findings {
  yield* hostProcessErrors(spec, path);
  yield* hostUsersErrors(spec, path);
}
