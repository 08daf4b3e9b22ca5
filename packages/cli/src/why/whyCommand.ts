import { humanDuration } from '@rx-informer/api-server/internal';
import {
  type CoreV1Event,
  isReady,
  type KubeClient,
  type V1OwnerReference,
  type Resource,
  resources,
  type UnstructuredObject,
} from 'rx-informer';
import { hasReadiness, isJsonObject, listAt, numberAt, textAt } from 'rx-informer/internal';
import type { Target } from '../arguments/argumentValues.js';
import { type ConnectionFlags, findSelection, withClient } from '../arguments/selection.js';
import { CliError, exitCodes } from '../cliError.js';
import { errorLine } from '../output/errorLine.js';
import { type ColourChoice, paint, wantsColour, type Line, type Span, type Style, textTable } from '../output/line.js';
import { printable } from '../output/printable.js';
import type { Run } from '../terminal.js';

/** The named object, its owner, its owner's owner, and so on. */
interface Link {
  /** For example `replicaset/web-5d4f`. */
  readonly name: string;
  readonly object?: UnstructuredObject;
  /** Why there is no object. */
  readonly problem?: string;
}

/** Longer chains of owners must contain a cycle. */
const longestChain = 11;

/** The controller, or the only owner if there is no controller. */
function ownerOf(object: UnstructuredObject | undefined): V1OwnerReference | undefined {
  const references = object?.metadata?.ownerReferences ?? [];
  return references.find(({ controller }) => controller === true) ?? references[0];
}

async function readOwner(client: KubeClient, { apiVersion, kind, name: owner, uid }: V1OwnerReference, namespace?: string): Promise<Link> {
  const name = `${kind.toLowerCase()}/${owner}`;
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  try {
    const resource = await client.discovery.find(group === '' ? kind : `${kind}.${version}.${group}`);
    const object = await client.get(resource, owner, resource.namespaced ? { namespace } : {});
    return object.metadata?.uid === uid ? { name, object } : { name, problem: 'another object has this name now' };
  } catch (error) {
    return { name, problem: errorLine(error) };
  }
}

/** The time of the last occurrence in milliseconds; NaN for an event without one. */
function timeOf({ series, lastTimestamp, eventTime, metadata }: CoreV1Event): number {
  return Date.parse(series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '');
}

type Happened = readonly { readonly of: string; readonly at: number; readonly event: CoreV1Event }[];

async function readEvents(client: KubeClient, { name, object: { metadata } = {} }: Link): Promise<Happened> {
  // Events of cluster-scoped objects are in the namespace `default`.
  const { namespace = 'default', uid = '' } = metadata ?? {};
  const { items } = await client.list(resources.core.v1.events, { namespace, fieldSelector: `involvedObject.uid=${uid}` });
  return items.map((event) => ({ of: name, at: timeOf(event), event }));
}

function deletion({ metadata }: UnstructuredObject, now: number): string | undefined {
  if (metadata?.deletionTimestamp === undefined) return undefined;
  const { deletionTimestamp, finalizers = [] } = metadata;
  const since = humanDuration(Math.max(0, now - Date.parse(deletionTimestamp)));
  return `being deleted for ${since}${finalizers.length === 0 ? '' : `; it waits for ${finalizers.join(', ')} to remove ${finalizers.length === 1 ? 'a finalizer' : 'finalizers'}`}`;
}

/** The first container that does not run, with the reason. */
function container(object: unknown): string | undefined {
  for (const status of ['initContainerStatuses', 'containerStatuses'].flatMap((field) => listAt(object, 'status', field))) {
    const name = textAt(status, 'name');
    const waiting = textAt(status, 'state', 'waiting', 'reason');
    const ended = textAt(status, 'lastState', 'terminated', 'reason');
    const code = (state: string): string => `exit code ${String(numberAt(status, state, 'terminated', 'exitCode'))}`;
    const before = ended === '' ? '' : `; it last ended with ${ended}, ${code('lastState')}`;
    if (waiting !== '') return `container ${name} waits: ${textAt(status, 'state', 'waiting', 'message') || waiting}${before}`;
    const reason = textAt(status, 'state', 'terminated', 'reason');
    if (reason !== '' && reason !== 'Completed') return `container ${name} ended: ${reason}, ${code('state')}`;
  }
  return undefined;
}

const detailOf = (condition: unknown): string =>
  [textAt(condition, 'reason'), textAt(condition, 'message')].filter((text) => text !== '').join(': ');

/** Whether a condition is bad when it is true, such as `MemoryPressure` of a node or `ReplicaFailure` of a deployment. */
const isProblem = (one: unknown): boolean => /Fail|Pressure|Unavailable|Degraded|Stalled/.test(textAt(one, 'type'));

/** Whether a condition is as it should not be. */
const isWrong = (one: unknown): boolean => (textAt(one, 'status') === 'True') === isProblem(one);

/** A wrong condition: a problem, else one with a message if there is one. */
function condition(object: unknown): string | undefined {
  const wrong = listAt(object, 'status', 'conditions').filter(isWrong);
  const condition = wrong.find(isProblem) ?? wrong.find((one) => textAt(one, 'message') !== '') ?? wrong[0];
  if (condition === undefined) return undefined;
  return [`${textAt(condition, 'type')} is ${textAt(condition, 'status') || 'Unknown'}`, detailOf(condition)]
    .filter((text) => text !== '')
    .join(': ');
}

function warning(events: Happened): string | undefined {
  const last = events.findLast(({ event }) => event.type === 'Warning')?.event;
  return last && `${last.reason ?? 'Warning'}: ${last.message ?? ''}`;
}

/** What there is to say of an object of which nothing says whether it is ready. */
function existence(object: UnstructuredObject, { subresources = [] }: Resource<unknown, never>, reason: string | undefined): Span {
  if (!subresources.includes('status')) return styled('exists; its kind has no readiness');
  if (object['status'] === undefined) return styled('exists; no controller has written its status yet', 'yellow');
  return styled(`exists; it has no condition Ready${reason === undefined ? '' : `; ${reason}`}`);
}

/** Why an object is in its state, in one sentence: what prevents it from being ready, or that nothing does. */
function verdictOf(object: UnstructuredObject, resource: Resource<unknown, never>, events: Happened, now: number): Span {
  const gone = deletion(object, now);
  if (gone !== undefined) return styled(gone, 'red');
  if (textAt(object, 'status', 'phase') === 'Succeeded') return styled('completed', 'green');
  if (isReady(object)) return styled('ready', 'green');
  const reason = container(object) ?? condition(object) ?? warning(events);
  if (!hasReadiness(object)) return existence(object, resource, reason);
  return styled(reason === undefined ? 'not ready, and no condition or event gives a reason' : `not ready: ${reason}`, 'red');
}

/** The paths in a field set that are of interest. */
function pathsOf(fields: unknown, depth: number, path = ''): string[] {
  const parts = isJsonObject(fields) ? Object.entries(fields).filter(([key]) => key.startsWith('f:')) : [];
  if (parts.length === 0 || depth === 0) return path === '' ? [] : [path];
  return parts.flatMap(([key, below]) => pathsOf(below, depth - 1, `${path}.${key.slice(2)}`));
}

/** The maximum numbers of rows, newest first. */
const maxEvents = 10;
const maxWrites = 5;

/** A part of the explanation: a heading and a table; nothing without rows. */
function part(heading: string, rows: readonly Line[]): Line[] {
  if (rows.length === 0) return [];
  return [[], [{ text: heading, style: 'bold' }], ...textTable(rows).map((line): Line => ['  ', ...line])];
}

const ago = (at: number, now: number): string => (Number.isNaN(at) ? '?' : `${humanDuration(Math.max(0, now - at))} ago`);
const styled = (text: string, style?: Style): Span => ({ text: printable(text), style });

function ownerRow({ name, object, problem = 'unknown' }: Link): Line {
  if (object === undefined) return [printable(name), styled(problem, 'red')];
  const notReady = hasReadiness(object) ? styled('not ready', 'yellow') : styled('exists');
  return [printable(name), isReady(object) ? styled('ready', 'green') : notReady];
}

function conditionRow(one: unknown, now: number): Line {
  const since = Date.parse(textAt(one, 'lastTransitionTime'));
  const state = styled(textAt(one, 'status'), isWrong(one) ? 'yellow' : undefined);
  return [printable(textAt(one, 'type')), state, ago(since, now), printable(detailOf(one))];
}

function eventRow({ of, at, event }: Happened[number], now: number): Line {
  const { type = '', reason = '', message = '', count = event.series?.count ?? 1 } = event;
  const times = count > 1 ? ` (${String(count)} times)` : '';
  const state = styled(type, type === 'Warning' ? 'yellow' : undefined);
  return [ago(at, now), state, printable(of), printable(reason), printable(`${message}${times}`)];
}

/** The last write of each writer with its fields, latest first. The server stores one write per writer. */
function writeRows({ metadata }: UnstructuredObject, now: number): Line[] {
  return [...(metadata?.managedFields ?? [])]
    .sort((a, b) => Date.parse(b.time ?? '') - Date.parse(a.time ?? '') || 0)
    .slice(0, maxWrites)
    .map(({ manager = 'somebody', operation = 'Update', subresource, time = '', fieldsV1 }): Line => {
      const who = `${manager}, ${operation.toLowerCase()}${subresource === undefined ? '' : ` of ${subresource}`}`;
      return [ago(Date.parse(time), now), printable(who), printable(pathsOf(fieldsV1, 2).join(', '))];
    });
}

/** Why an object is in its state: a sentence, its owners, its conditions, the events of all of these, and its last writers. */
async function explanation(client: KubeClient, resource: Resource<unknown, never>, object: UnstructuredObject): Promise<Line[]> {
  const name = `${resource.singular ?? resource.kind.toLowerCase()}/${object.metadata?.name ?? ''}`;
  const { namespace } = object.metadata ?? {};
  const chain: Link[] = [{ name, object }];
  for (let owner = ownerOf(object); owner !== undefined && chain.length < longestChain; owner = ownerOf(chain.at(-1)?.object))
    chain.push(await readOwner(client, owner, namespace));
  let events: Happened = [];
  let problem: Line[] = [];
  try {
    const read: Happened[] = [];
    for (const link of chain) if (link.object !== undefined) read.push(await readEvents(client, link));
    events = read.flat().sort((a, b) => a.at - b.at || 0);
  } catch (error) {
    problem = [[styled(errorLine(error), 'red')]];
  }
  const now = Date.now();
  const place = namespace === undefined ? '' : ` in ${printable(namespace)}`;
  const conditions = listAt(object, 'status', 'conditions').map((one) => conditionRow(one, now));
  return [
    [{ text: printable(name), style: 'bold' }, `${place}: `, verdictOf(object, resource, events, now)],
    ...part('Owned by', chain.slice(1).map(ownerRow)),
    ...part('Conditions', conditions),
    ...part('Events', [...problem, ...events.slice(-maxEvents).map((one) => eventRow(one, now))]),
    ...part('Changed last by', writeRows(object, now)),
  ];
}

/** The flags of `rx-informer why`. */
export interface WhyFlags extends ConnectionFlags {
  readonly namespace?: string;
  readonly color?: ColourChoice;
}

/** `rx-informer why`: explains the state of objects. */
export async function whyCommand(targets: readonly Target[], flags: WhyFlags, { terminal, end$ }: Run): Promise<void> {
  const { stdout } = terminal;
  const colour = wantsColour(terminal, flags.color);
  await withClient(flags, end$, async (client) => {
    for (const [at, { kind, name }] of targets.entries()) {
      if (name === undefined) throw new CliError(`expected the name of an object, as in ${kind}/NAME`, exitCodes.usage);
      const { resource, options } = await findSelection(client, kind, flags);
      const object = await client.get(resource, name, { namespace: options.namespace });
      const lines = await explanation(client, resource, object);
      stdout.write(`${at > 0 ? '\n' : ''}${lines.map((line) => `${paint(line, colour).trimEnd()}\n`).join('')}`);
    }
  });
}
