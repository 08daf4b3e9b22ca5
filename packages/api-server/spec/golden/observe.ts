import type { IncomingMessage } from 'node:http';
import type { Answer, AnyJson } from '../support/httpClient.js';
import type { Recorded, Replay, GoldenRequest } from './goldenCase.js';
import { normalize, normalizeText } from './normalize.js';

const headers = ['content-type', 'cache-control', 'x-content-type-options', 'warning', 'vary', 'retry-after'] as const;
const runDependent = ['uid', 'resourceVersion', 'creationTimestamp', 'managedFields', 'selfLink', 'deletionTimestamp'];

/** An object without the metadata that differs between runs. */
export function stable(body: AnyJson): unknown {
  if (typeof body.metadata !== 'object') return body;
  const metadata = Object.fromEntries(Object.entries(body.metadata).filter(([name]) => !runDependent.includes(name)));
  return { ...body, metadata };
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly priority: number;
}

interface Row {
  readonly cells: readonly unknown[];
  readonly object?: AnyJson | null;
}

const age = /^(\d+(ms|[smhdy]))+$/;

function tableOf(body: AnyJson): object {
  const columns = body['columnDefinitions'] as readonly Column[];
  const rows = body['rows'] as readonly Row[] | null;
  const [first] = rows ?? [];
  return {
    columns: columns.map(({ name, type, format, priority }) => [name, type, format, priority].join(':')).join(' '),
    rows: rows?.map(
      ({ cells, object }) =>
        `${String(cells.length)}:${Object.keys(object ?? {})
          .sort()
          .join('+')}:${String(object?.kind)}`,
    ),
    cells: first && JSON.stringify(first.cells.map((cell) => (typeof cell === 'string' && age.test(cell) ? 'AGE' : cell))),
  };
}

function listOf({ items, metadata }: AnyJson): object {
  return {
    items: items.length,
    meta: Object.keys(metadata)
      .filter((name) => (metadata as unknown as Record<string, unknown>)[name] !== '')
      .sort()
      .join(','),
    itemKeys: items[0] && Object.keys(items[0]).sort().join(','),
  };
}

function contentOf(body: AnyJson, request: GoldenRequest, replay: Replay): object {
  const { kind, apiVersion, message, reason } = body;
  if (kind === 'Status') return { status: body.status, reason, message, details: body['details'] };
  if (kind === 'Table') return { kind, apiVersion, ...tableOf(body) };
  if (Array.isArray(body.items)) return { kind, apiVersion, ...listOf(body), ...(request.shown && { body: request.shown(body, replay) }) };
  return { kind, apiVersion, body: (request.shown ?? stable)(body, replay) };
}

/** One answer in the form of the recordings. */
export function observe(answer: Answer, request: GoldenRequest, replay: Replay): Recorded {
  const { code, text, json } = answer;
  const kept = Object.fromEntries(headers.map((name) => [name, answer.headers[name]]));
  const isJson = typeof json === 'object' && json.message !== 'no JSON';
  const content = isJson ? contentOf(json, request, replay) : { text };
  const observed = normalize({ code, ...kept, ...content }) as Record<string, unknown>;
  // The number of cells of a row is the same in every run, so it is not normalized.
  const { rows } = content as { readonly rows?: unknown };
  if (rows !== undefined) observed['rows'] = rows;
  // The group of the custom resources was recorded as it is, so it is not normalized.
  if (isJson && json.kind !== 'Status' && observed['apiVersion'] !== undefined) observed['apiVersion'] = json.apiVersion;
  if (Array.isArray(observed['warning'])) observed['warning'] = observed['warning'].join(', ');
  return observed as Recorded;
}

interface Event {
  readonly type?: string;
  readonly object?: { readonly kind?: string; readonly metadata?: { readonly name?: string; readonly annotations?: object } };
}

function eventOf(line: string): string {
  const { type, object } = JSON.parse(line) as Event;
  const end = object?.metadata?.annotations !== undefined && type === 'BOOKMARK' ? '/END' : '';
  return `${String(type)}:${String(object?.kind)}/${object?.metadata?.name ?? ''}${end}`;
}

function lengthOf(text: unknown): number {
  return typeof text === 'string' ? text.length : 0;
}

/** The events of a watch, until there are as many as were recorded or it has ended; `settled` resolves when no more are expected. */
export async function observeWatch(answer: IncomingMessage, recorded: Recorded, settled: () => Promise<void>): Promise<Recorded> {
  const expected = (recorded['events'] as readonly string[] | undefined)?.length ?? 0;
  let text = '';
  let ended = false;
  let look = (): void => undefined;
  answer.on('data', (part: Buffer) => {
    text += part.toString();
    look();
  });
  const enough = (): boolean =>
    ended || (recorded['ended'] !== true && text.split('\n').length > expected && text.length >= lengthOf(recorded['text']));
  const limit = AbortSignal.timeout(20_000);
  await new Promise<void>((resolve) => {
    limit.addEventListener('abort', () => resolve());
    look = () => (enough() ? resolve() : undefined);
    answer.once('end', () => {
      ended = true;
      look();
    });
    look();
  });
  await settled();
  answer.destroy();
  const lines = text.split('\n').filter((line) => line !== '');
  const kept = Object.fromEntries(headers.map((name) => [name, answer.headers[name]]));
  const content = recorded['events'] === undefined ? { text } : { events: lines.map(eventOf), ended };
  return normalize({ code: answer.statusCode, ...kept, ...content }) as Recorded;
}

/** The record with ages left out and long texts cut off, as they were recorded. */
export function comparable(record: Recorded, recorded: Recorded): Recorded {
  const { cells, text } = record as { readonly cells?: string; readonly text?: string };
  const limit = lengthOf(recorded['text']);
  return {
    ...record,
    ...(cells !== undefined && { cells: cells.replace(/"(\d+(ms|[smhdy]))+"/g, '"AGE"') }),
    ...(text !== undefined && { text: limit > 100 ? normalizeText(text).slice(0, limit) : text }),
  };
}
