import type { V1Container, V1PodSpec } from 'rx-informer';

const volumes = ['configMap', 'csi', 'downwardAPI', 'emptyDir', 'ephemeral', 'persistentVolumeClaim', 'projected', 'secret'];

function problemsOf(container: V1Container, { securityContext: pod = {} }: V1PodSpec): string[] {
  const { securityContext: own = {}, ports = [], name } = container;
  const seccomp = own.seccompProfile?.type ?? pod.seccompProfile?.type;
  const rules: Readonly<Record<string, boolean>> = {
    'runAsNonRoot is true': own.runAsNonRoot ?? pod.runAsNonRoot ?? false,
    'runAsUser is not 0': (own.runAsUser ?? pod.runAsUser) !== 0,
    'allowPrivilegeEscalation is false': own.allowPrivilegeEscalation === false,
    'privileged is not set': own.privileged !== true,
    'capabilities drop ALL': own.capabilities?.drop?.includes('ALL') ?? false,
    'capabilities add NET_BIND_SERVICE at most': (own.capabilities?.add ?? []).every((each) => each === 'NET_BIND_SERVICE'),
    'seccompProfile is RuntimeDefault or Localhost': seccomp === 'RuntimeDefault' || seccomp === 'Localhost',
    'procMount is Default': (own.procMount ?? 'Default') === 'Default',
    'there are no host ports': ports.every(({ hostPort = 0 }) => hostPort === 0),
  };
  return Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : [`${name}: ${rule}`]));
}

/** The violations of Pod Security "restricted" by a pod; empty if there are none. */
export function restrictedProblems(pod: V1PodSpec): readonly string[] {
  const { hostNetwork, hostPID, hostIPC } = pod;
  const foreign = (pod.volumes ?? []).filter((volume) => !volumes.some((type) => type in volume));
  return [
    ...Object.entries({ hostNetwork, hostPID, hostIPC }).flatMap(([field, value]) => (value === true ? [`${field} is not set`] : [])),
    ...foreign.map(({ name }) => `volume ${name} is of a permitted type`),
    ...[...(pod.initContainers ?? []), ...pod.containers].flatMap((container) => problemsOf(container, pod)),
  ];
}
