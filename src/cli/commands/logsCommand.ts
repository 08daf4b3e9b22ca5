import { lastValueFrom, takeUntil, tap } from 'rxjs';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { V1Pod } from '../../api/kubernetes/coreV1.js';
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

/** What a kind that stands for pods carries. */
interface WithSelector extends KubernetesObject {
  readonly spec?: { readonly selector?: SelectionOptions['labelSelector'] };
}

/** Whose logs: one pod's, or those of all pods that are selected. */
interface Subject {
  readonly pod?: V1Pod;
  readonly selection: SelectionOptions;
}

async function subjectOf(client: KubeClient, { kind, name }: Target, flags: LogsFlags): Promise<Subject> {
  // `logs web-0` names a pod, as kubectl's does.
  const isPodName = name === undefined && flags.selector === undefined && flags.fieldSelector === undefined && !/^po(d|ds)?$/.test(kind);
  const { resource, options } = await findSelection(client, isPodName ? 'pods' : kind, flags);
  const wanted = isPodName ? kind : name;
  const isPods = resource.group === '' && resource.plural === 'pods';
  if (wanted === undefined) {
    if (!isPods) throw new CliError(`expected the name of an object, as in ${kind}/NAME`, exitCodes.usage);
    return { selection: options };
  }
  const { namespace } = options;
  const where = namespace === undefined ? {} : { namespace };
  if (isPods) return { pod: await client.get(resources.core.v1.pods, wanted, where), selection: where };
  const { spec } = (await client.get(resource, wanted, where)) as WithSelector;
  if (spec?.selector === undefined)
    throw new CliError(`${kind}/${wanted} selects no pods; expected one that does, for example deploy/${wanted}`);
  return { selection: { ...where, labelSelector: spec.selector } };
}

const styles: readonly Style[] = ['green', 'yellow', 'cyan', 'blue', 'magenta'];
const colourOrTab = new RegExp(`(${String.fromCharCode(27)}\\[[\\d;]*m|\\t)`);

/** A terminal is told no more by a log than its colours. */
function shown(text: string, isTTY: boolean): string {
  return isTTY
    ? text
        .split(colourOrTab)
        .map((part, at) => (at % 2 === 1 ? part : printable(part)))
        .join('')
    : text;
}

/** Writes lines, each with its pod and container where there may be several. */
function printer({ stdout }: Terminal, { timestamps }: LogsFlags, prefixed: boolean, colour: boolean): (line: PodLogLine) => void {
  const colours = new Map<string, Style>();
  return ({ pod, container, time, text }) => {
    const style = colours.get(pod) ?? styles[colours.size % styles.length] ?? 'green';
    colours.set(pod, style);
    const prefix = prefixed ? `${paint([{ text: `${pod} ${container}`, style }], colour)} ` : '';
    stdout.write(`${prefix}${timestamps === true ? `${time} ` : ''}${shown(text, stdout.isTTY === true)}\n`);
  };
}

/** `rx-informer logs`: the logs of a pod, or of the pods of a deployment or another kind with a selector, as they come and go. */
export async function logsCommand(targets: readonly Target[], flags: LogsFlags, { terminal, end$ }: Run): Promise<void> {
  const [target, ...others] = targets;
  if (target === undefined || others.length > 0) throw new CliError('expected one pod, or one object that selects pods', exitCodes.usage);
  checkSelectors(flags);
  const { follow = false, container, previous = false, since, tail } = flags;
  const options: PodLogsOptions = { follow: follow && !previous, container, previous, tail, sinceMs: since };
  await withClient(flags, async (client) => {
    const { pod, selection } = await subjectOf(client, target, flags);
    const informer = pod === undefined ? informerOf<V1Pod>(client, { resource: resources.core.v1.pods, options: selection }) : undefined;
    const prefixed = pod === undefined || (container === undefined && (pod.spec?.containers.length ?? 1) > 1);
    const print = printer(terminal, flags, prefixed, wantsColour(terminal, terminal.stdout, flags.color));
    try {
      const source = informer ?? pod ?? {};
      const lines$ = podLogs(client, source, options);
      await lastValueFrom(lines$.pipe(tap(print), takeUntil(end$)), { defaultValue: undefined });
    } finally {
      await informer?.stop();
    }
  });
}
