import type { UnstructuredObject } from '../../api/kubernetesObject.js';
import { listAt, numberAt, textAt } from '../../api/tables/fieldAt.js';
import { humanDuration } from '../../api/tables/humanDuration.js';
import { isRecord } from '../../client/decode/parseObject.js';
import { isReady } from '../../operators/readiness/isReady.js';
import type { Target } from '../arguments/argumentValues.js';
import { type ConnectionFlags, findSelection, withClient } from '../arguments/selection.js';
import { CliError, exitCodes } from '../cliError.js';
import { type ColourChoice, paint, wantsColour, type Line, type Span, type Style, textTable } from '../output/line.js';
import { printable } from '../output/printable.js';
import type { Terminal } from '../terminal.js';
import { gatherFacts, type Facts } from './gatherFacts.js';

function deletion({ metadata }: UnstructuredObject, now: number): string | undefined {
  if (metadata?.deletionTimestamp === undefined) return undefined;
  const { deletionTimestamp, finalizers = [] } = metadata;
  const since = humanDuration(Math.max(0, now - Date.parse(deletionTimestamp)));
  return `being deleted for ${since}${finalizers.length === 0 ? '' : `; it waits for ${finalizers.join(', ')} to remove ${finalizers.length === 1 ? 'a finalizer' : 'finalizers'}`}`;
}

/** The first container that does not run, with the reason. */
function container(object: unknown): string | undefined {
  for (const field of ['initContainerStatuses', 'containerStatuses'])
    for (const status of listAt(object, 'status', field)) {
      const name = textAt(status, 'name');
      const waiting = textAt(status, 'state', 'waiting', 'reason');
      const ended = textAt(status, 'lastState', 'terminated', 'reason');
      const code = numberAt(status, 'lastState', 'terminated', 'exitCode');
      const before = ended === '' ? '' : `; it last ended with ${ended}, exit code ${String(code)}`;
      if (waiting !== '') return `container ${name} waits: ${textAt(status, 'state', 'waiting', 'message') || waiting}${before}`;
      const reason = textAt(status, 'state', 'terminated', 'reason');
      if (reason !== '' && reason !== 'Completed')
        return `container ${name} ended: ${reason}, exit code ${String(numberAt(status, 'state', 'terminated', 'exitCode'))}`;
    }
  return undefined;
}

/** A condition that is false and has a message. */
function condition(object: unknown): string | undefined {
  const wrong = listAt(object, 'status', 'conditions').filter((one) => textAt(one, 'status') !== 'True');
  const telling = wrong.find((one) => textAt(one, 'message') !== '') ?? wrong[0];
  if (telling === undefined) return undefined;
  const detail = [textAt(telling, 'reason'), textAt(telling, 'message')].filter((text) => text !== '').join(': ');
  return `${textAt(telling, 'type')} is ${textAt(telling, 'status') || 'Unknown'}${detail === '' ? '' : `: ${detail}`}`;
}

function warning({ events }: Facts): string | undefined {
  const last = events.filter(({ event }) => event.type === 'Warning').at(-1)?.event;
  return last === undefined ? undefined : `${last.reason ?? 'Warning'}: ${last.message ?? ''}`;
}

/** Why an object is in its state, in one sentence: what prevents it from being ready, or that nothing does. */
function verdictOf(facts: Facts, now: number): { readonly isWell: boolean; readonly text: string } {
  const { object } = facts;
  const gone = deletion(object, now);
  if (gone !== undefined) return { isWell: false, text: gone };
  if (textAt(object, 'status', 'phase') === 'Succeeded') return { isWell: true, text: 'completed' };
  if (isReady(object)) return { isWell: true, text: 'ready' };
  const reason = container(object) ?? condition(object) ?? warning(facts);
  return { isWell: false, text: reason === undefined ? 'not ready, and no condition or event gives a reason' : `not ready: ${reason}` };
}

/** The paths in a field set that are of interest. */
function pathsOf(fields: unknown, depth: number, path = ''): string[] {
  const parts = isRecord(fields) ? Object.entries(fields).filter(([key]) => key.startsWith('f:')) : [];
  if (parts.length === 0 || depth === 0) return path === '' ? [] : [path];
  return parts.flatMap(([key, below]) => pathsOf(below, depth - 1, `${path}.${key.slice(2)}`));
}

/** The maximum number of events that are shown, newest first. */
const mostEvents = 10;
const mostWrites = 5;

/** A part of the explanation: a heading and a table; nothing without rows. */
function part(heading: string, rows: readonly Line[]): Line[] {
  if (rows.length === 0) return [];
  return [[], [{ text: heading, style: 'bold' }], ...textTable(rows).map((line): Line => ['  ', ...line])];
}

const ago = (at: number, now: number): string => (Number.isNaN(at) ? '?' : `${humanDuration(Math.max(0, now - at))} ago`);
const styled = (text: string, style: Style | undefined): Span => ({ text: printable(text), style });

function ownerRows({ owners }: Facts): Line[] {
  return owners.map(({ name, object, problem }): Line => {
    if (object === undefined) return [printable(name), styled(problem ?? 'unknown', 'red')];
    const ready = isReady(object);
    return [printable(name), styled(ready ? 'ready' : 'not ready', ready ? 'green' : 'yellow')];
  });
}

function conditionRows(object: UnstructuredObject, now: number): Line[] {
  return listAt(object, 'status', 'conditions').map((condition): Line => {
    const status = textAt(condition, 'status');
    const since = Date.parse(textAt(condition, 'lastTransitionTime'));
    const detail = [textAt(condition, 'reason'), textAt(condition, 'message')].filter((text) => text !== '').join(': ');
    return [
      printable(textAt(condition, 'type')),
      styled(status, status === 'True' ? undefined : 'yellow'),
      ago(since, now),
      printable(detail),
    ];
  });
}

function eventRows({ events, eventsProblem }: Facts, now: number): Line[] {
  if (eventsProblem !== undefined) return [[styled(eventsProblem, 'red')]];
  return events.slice(-mostEvents).map(({ of, at, event }): Line => {
    const { type = '', reason = '', message = '', count = event.series?.count ?? 1 } = event;
    const times = count > 1 ? ` (${String(count)} times)` : '';
    return [
      ago(at, now),
      styled(type, type === 'Warning' ? 'yellow' : undefined),
      printable(of),
      printable(reason),
      printable(`${message}${times}`),
    ];
  });
}

/** The last write of each writer with its fields, latest first. The server stores one write per writer. */
function writeRows({ metadata }: UnstructuredObject, now: number): Line[] {
  return [...(metadata?.managedFields ?? [])]
    .sort((a, b) => Date.parse(b.time ?? '') - Date.parse(a.time ?? '') || 0)
    .slice(0, mostWrites)
    .map(({ manager = 'somebody', operation = 'Update', subresource, time = '', fieldsV1 }): Line => {
      const who = `${manager}, ${operation.toLowerCase()}${subresource === undefined ? '' : ` of ${subresource}`}`;
      return [ago(Date.parse(time), now), printable(who), printable(pathsOf(fieldsV1, 2).join(', '))];
    });
}

/** Why an object is in its state: a sentence, its owners, its conditions, the events of all of these, and its last writers. */
function explanation(facts: Facts, now: number): Line[] {
  const { name, object } = facts;
  const { isWell, text } = verdictOf(facts, now);
  const namespace = object.metadata?.namespace;
  const place = namespace === undefined ? '' : ` in ${printable(namespace)}`;
  return [
    [{ text: printable(name), style: 'bold' }, `${place}: `, styled(text, isWell ? 'green' : 'red')],
    ...part('Owned by', ownerRows(facts)),
    ...part('Conditions', conditionRows(object, now)),
    ...part('Events', eventRows(facts, now)),
    ...part('Changed last by', writeRows(object, now)),
  ];
}

/** The flags of `rx-informer why`. */
export interface WhyFlags extends ConnectionFlags {
  readonly namespace?: string;
  readonly color?: ColourChoice;
}

/** `rx-informer why`: explains the state of objects. */
export async function whyCommand(targets: readonly Target[], flags: WhyFlags, terminal: Terminal): Promise<void> {
  const { stdout } = terminal;
  const colour = wantsColour(terminal, stdout, flags.color);
  await withClient(flags, async (client) => {
    for (const [at, { kind, name }] of targets.entries()) {
      if (name === undefined) throw new CliError(`expected the name of an object, as in ${kind}/NAME`, exitCodes.usage);
      const { resource, options } = await findSelection(client, kind, flags);
      const facts = await gatherFacts(client, resource, name, options.namespace);
      const lines = explanation(facts, Date.now()).map((line) => `${paint(line, colour).trimEnd()}\n`);
      stdout.write(`${at > 0 ? '\n' : ''}${lines.join('')}`);
    }
  });
}
