import { lastValueFrom, takeUntil, tap } from 'rxjs';
import type { KubeClient, PodLogLine } from 'rx-informer';
import type { PodLogsOptions } from 'rx-informer/internal';
import type { Target } from '../arguments/argumentValues.js';
import { findSelection, type SelectionFlags, withClient } from '../arguments/selection.js';
import { CliError, exitCodes } from '../cliError.js';
import { type ColourChoice, paint, wantsColour } from '../output/line.js';
import { isPods, type ObjectLogs, objectLogs, selectedLogs, stylesOfPods } from '../output/objectLogs.js';
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

/** The logs of one pod, or of all selected pods. */
async function logsOf(client: KubeClient, { kind, name }: Target, flags: LogsFlags, options: PodLogsOptions): Promise<ObjectLogs> {
  // `logs web-0` names a pod, as with kubectl.
  const isPodName = name === undefined && flags.selector === undefined && flags.fieldSelector === undefined && !/^po(d|ds)?$/.test(kind);
  const { resource, options: selection } = await findSelection(client, isPodName ? 'pods' : kind, flags);
  const wanted = isPodName ? kind : name;
  if (wanted === undefined) {
    if (!isPods(resource)) throw new CliError(`expected the name of an object, as in ${kind}/NAME`, exitCodes.usage);
    return selectedLogs(client, selection, options);
  }
  const { namespace } = selection;
  const object = await client.get(resource, wanted, namespace === undefined ? {} : { namespace });
  const logs = objectLogs(client, resource, object, options);
  if (logs === undefined) throw new CliError(`${kind}/${wanted} selects no pods; expected one that does, for example deploy/${wanted}`);
  return logs;
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
  const { follow = false, container, previous = false, since, tail } = flags;
  const options: PodLogsOptions = { follow: follow && !previous, container, previous, tail, sinceMs: since };
  await withClient(flags, end$, async (client) => {
    const { lines$, prefixed } = await logsOf(client, target, flags, options);
    const print = printer(terminal, flags, prefixed, wantsColour(terminal, flags.color));
    await lastValueFrom(lines$.pipe(tap(print), takeUntil(end$)), { defaultValue: undefined });
  });
}
