import { defer, finalize, lastValueFrom, type Observable, takeUntil, tap } from 'rxjs';
import type { V1Pod } from '../../api/kubernetes/coreV1.js';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import { resources } from '../../api/resources.js';
import type { KubeClient, SelectionOptions } from '../../client/kubeClient.js';
import { podLogs, type PodLogLine, type PodLogsOptions } from '../../informer/logs/podLogs.js';
import type { Target } from '../arguments/argumentValues.js';
import { checkSelectors, findSelection, informerOf, type SelectionFlags, withClient } from '../arguments/selection.js';
import { CliError, exitCodes } from '../cliError.js';
import { type ColourChoice, paint, type Style, wantsColour } from '../output/line.js';
import { printable } from '../output/printable.js';
import type { Run, Terminal } from '../terminal.js';

/** The flags of `rx-informer logs`. */
export interface LogsFlags extends SelectionFlags {
  readonly follow?: boolean;
  readonly container?: string;
  readonly previous?: boolean;
  /** In milliseconds. */
  readonly since?: number;
  readonly tail?: number;
  readonly timestamps?: boolean;
  readonly color?: ColourChoice;
}

/** Lines of logs. */
interface ObjectLogs {
  readonly lines$: Observable<PodLogLine>;
  /** Whether the lines come from several containers, and need a prefix. */
  readonly prefixed: boolean;
}

/** The logs of all selected pods, including pods that start later. */
function selectedLogs(client: KubeClient, selection: SelectionOptions, options: PodLogsOptions): ObjectLogs {
  const lines$ = defer(() => {
    const informer = informerOf<V1Pod>(client, { resource: resources.core.v1.pods, options: selection });
    return podLogs(client, informer, options).pipe(finalize(() => void informer.stop()));
  });
  return { lines$, prefixed: true };
}

/** The logs of one pod, or of all selected pods. */
async function logsOf(client: KubeClient, { kind, name }: Target, flags: LogsFlags, options: PodLogsOptions): Promise<ObjectLogs> {
  // `logs web-0` names a pod, as with kubectl.
  const isPodName = name === undefined && flags.selector === undefined && flags.fieldSelector === undefined && !/^po(d|ds)?$/.test(kind);
  const { resource, options: selection } = await findSelection(client, isPodName ? 'pods' : kind, flags);
  const isPods = resource.group === '' && resource.plural === 'pods';
  const wanted = isPodName ? kind : name;
  if (wanted === undefined) {
    if (!isPods) throw new CliError(`expected the name of an object, as in ${kind}/NAME`, exitCodes.usage);
    return selectedLogs(client, selection, options);
  }
  const { namespace } = selection;
  const object = await client.get<KubernetesObject>(resource, wanted, { namespace });
  if (isPods) {
    const pod = object as V1Pod;
    return { lines$: podLogs(client, pod, options), prefixed: options.container === undefined && (pod.spec?.containers.length ?? 1) > 1 };
  }
  const { selector: labelSelector } = (object as { readonly spec?: { readonly selector?: SelectionOptions['labelSelector'] } }).spec ?? {};
  if (labelSelector === undefined)
    throw new CliError(`${kind}/${wanted} selects no pods; expected one that does, for example deploy/${wanted}`);
  return selectedLogs(client, { namespace: object.metadata?.namespace, labelSelector }, options);
}

const styles: readonly Style[] = ['green', 'yellow', 'cyan', 'blue', 'magenta'];

/** Assigns a style to each pod, in the order of their first lines. */
function stylesOfPods(): (pod: string) => Style {
  const known = new Map<string, Style>();
  return (pod) => {
    const style = known.get(pod) ?? styles[known.size % styles.length] ?? 'green';
    known.set(pod, style);
    return style;
  };
}

const colourOrTab = new RegExp(`(${String.fromCharCode(27)}\\[[\\d;]*m|\\t)`);

/** A log line for a terminal: without control sequences other than colours. */
function shown(text: string, isTTY: boolean): string {
  return isTTY
    ? text
        .split(colourOrTab)
        .map((part, at) => (at % 2 === 1 ? part : printable(part)))
        .join('')
    : text;
}

/** Writes lines, with the names of pod and container if there may be several. */
function printer({ stdout }: Terminal, { timestamps }: LogsFlags, prefixed: boolean, colour: boolean): (line: PodLogLine) => void {
  const styleOf = stylesOfPods();
  return ({ pod, container, time, text }) => {
    const prefix = prefixed ? `${paint([{ text: `${pod} ${container}`, style: styleOf(pod) }], colour)} ` : '';
    stdout.write(`${prefix}${timestamps === true ? `${time} ` : ''}${shown(text, stdout.isTTY === true)}\n`);
  };
}

/**
 * `rx-informer logs`: the logs of a pod, or of the pods of a deployment or another kind with a selector, including pods that start later.
 */
export async function logsCommand(targets: readonly Target[], flags: LogsFlags, { terminal, end$ }: Run): Promise<void> {
  const [target, ...others] = targets;
  if (target === undefined || others.length > 0) throw new CliError('expected one pod, or one object that selects pods', exitCodes.usage);
  checkSelectors(flags);
  const { follow = false, container, previous = false, since, tail } = flags;
  const options: PodLogsOptions = { follow: follow && !previous, container, previous, tail, sinceMs: since };
  await withClient(flags, async (client) => {
    const { lines$, prefixed } = await logsOf(client, target, flags, options);
    const print = printer(terminal, flags, prefixed, wantsColour(terminal, terminal.stdout, flags.color));
    await lastValueFrom(lines$.pipe(tap(print), takeUntil(end$)), { defaultValue: undefined });
  });
}
