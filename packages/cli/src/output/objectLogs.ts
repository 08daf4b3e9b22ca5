import { defer, finalize, type Observable } from 'rxjs';
import {
  type KubeClient,
  type KubernetesObject,
  type PodLogLine,
  podLogs,
  type Resource,
  resources,
  type UnstructuredObject,
  type V1Pod,
} from 'rx-informer';
import type { PodLogsOptions, SelectionOptions } from 'rx-informer/internal';
import { informerOf } from '../arguments/selection.js';
import type { Style } from './line.js';

/** Lines of logs. */
export interface ObjectLogs {
  readonly lines$: Observable<PodLogLine>;
  /** Whether the lines come from several containers, and need a prefix. */
  readonly prefixed: boolean;
}

/** A kind that selects pods. */
interface WithSelector extends KubernetesObject {
  readonly spec?: { readonly selector?: SelectionOptions['labelSelector'] };
}

/** Whether a resource is `pods`. */
export const isPods = ({ group, plural }: Pick<Resource<UnstructuredObject>, 'group' | 'plural'>): boolean =>
  group === '' && plural === 'pods';

/** The logs of all selected pods, including pods that start later. */
export function selectedLogs(client: KubeClient, selection: SelectionOptions, options: PodLogsOptions): ObjectLogs {
  const lines$ = defer(() => {
    const informer = informerOf<V1Pod>(client, { resource: resources.core.v1.pods, options: selection });
    return podLogs(client, informer, options).pipe(finalize(() => void informer.stop()));
  });
  return { lines$, prefixed: true };
}

/** The logs of a pod, or of the pods that an object selects; undefined for an object that selects none. */
export function objectLogs(
  client: KubeClient,
  resource: Resource<UnstructuredObject>,
  object: KubernetesObject,
  options: PodLogsOptions,
): ObjectLogs | undefined {
  if (isPods(resource)) {
    const pod = object as V1Pod;
    return { lines$: podLogs(client, pod, options), prefixed: options.container === undefined && (pod.spec?.containers.length ?? 1) > 1 };
  }
  const labelSelector = (object as WithSelector).spec?.selector;
  const { namespace } = object.metadata ?? {};
  return labelSelector === undefined
    ? undefined
    : selectedLogs(client, { ...(namespace !== undefined && { namespace }), labelSelector }, options);
}

const styles: readonly Style[] = ['green', 'yellow', 'cyan', 'blue', 'magenta'];

/** Assigns a style to each pod, in the order of their first lines. */
export function stylesOfPods(): (pod: string) => Style {
  const known = new Map<string, Style>();
  return (pod) => {
    const style = known.get(pod) ?? styles[known.size % styles.length] ?? 'green';
    known.set(pod, style);
    return style;
  };
}
