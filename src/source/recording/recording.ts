import { ApiError } from '../../api/errors/apiError.js';
import { foreignText } from '../../api/errors/foreignText.js';
import type { Resource } from '../../api/resource.js';
import type { SourceEvent } from '../../api/events.js';
import { jsonTextOf } from '../../api/jsonTextOf.js';
import { InformerError, type InformerErrorInit } from '../../api/errors/informerError.js';

/** The part of the resource that a recording contains: enough to display its objects. */
export type RecordedResource = Pick<Resource<unknown, never>, 'group' | 'version' | 'plural' | 'kind' | 'namespaced'>;

/** The first line of a recording. */
export interface RecordingHeader {
  /** The version of the format. */
  readonly recording: 1;
  readonly resource?: RecordedResource;
  /** A time in ISO 8601. */
  readonly startedAt: string;
}

interface RecordedError extends Omit<InformerErrorInit, 'cause'> {
  readonly cause?: (Pick<ApiError, 'message'> & Partial<Pick<ApiError, 'code' | 'status' | 'retryAfterMs'>>) | undefined;
}

/** Every other line of a recording. Times are in milliseconds since it began. */
interface RecordingEntry {
  readonly at: number;
  readonly event: { readonly type: string; readonly error?: RecordedError; readonly nextAttemptAt?: number };
}

function causeOf(cause: unknown): RecordedError['cause'] {
  if (cause instanceof ApiError) {
    const { code, message, status, retryAfterMs } = cause;
    return { code, message, status, retryAfterMs };
  }
  return cause instanceof Error ? { message: foreignText(cause.message) } : undefined;
}

function errorRecord({ code, message, resource, key, attempt, cause }: InformerError): RecordedError {
  return { code, message, resource, key, attempt, cause: causeOf(cause) };
}

function revivedError({ cause, ...init }: RecordedError): InformerError {
  if (cause === undefined) return new InformerError(init);
  const { code, message, status, retryAfterMs } = cause;
  return new InformerError({
    ...init,
    cause: code === undefined ? new Error(message) : new ApiError({ code, message, status, retryAfterMs }),
  });
}

/** The line of an event. @internal */
export function lineOf<T>(event: SourceEvent<T>, startedAt: number, now: number): string {
  const at = now - startedAt;
  if (event.type !== 'status') return jsonTextOf({ at, event });
  const { error, nextAttemptAt, ...rest } = event;
  const next = nextAttemptAt === undefined ? undefined : nextAttemptAt - startedAt;
  // JSON.stringify omits undefined fields.
  return JSON.stringify({ at, event: { ...rest, error: error && errorRecord(error), nextAttemptAt: next } });
}

const eventTypes: ReadonlySet<unknown> = new Set(['init', 'page', 'ready', 'added', 'modified', 'deleted', 'bookmark', 'status']);

/** The line as a JSON object, or null. */
function parse<V>(line: string, number: number): Partial<V> | null {
  try {
    return JSON.parse(line) as Partial<V> | null;
  } catch {
    // The error of the parser would quote the line, which may have a secret.
    throw new InformerError({ code: 'ERR_DECODE', message: `Expected line ${number} of the recording to be JSON` });
  }
}

/** The header of a recording. @throws InformerError `ERR_DECODE` when the line is not a header. */
export function headerOf(line: string): RecordingHeader {
  const header = parse<RecordingHeader>(line, 1);
  if (header?.recording === 1) return header as RecordingHeader;
  throw new InformerError({ code: 'ERR_DECODE', message: 'Expected line 1 of the recording to be the header of one, got something else' });
}

/**
 * An event with its time; times, also those in the event, are milliseconds since the start of the recording.
 *
 * @throws InformerError `ERR_DECODE` when the line is not an entry of a recording. @internal
 */
export function entryOf<T>(line: string, number: number): { readonly at: number; readonly event: SourceEvent<T> } {
  const { at, event } = parse<RecordingEntry>(line, number) ?? {};
  if (typeof at !== 'number' || !eventTypes.has(event?.type)) {
    throw new InformerError({ code: 'ERR_DECODE', message: `Expected line ${number} of the recording to have a time and a source event` });
  }
  const error = event?.error;
  return { at, event: { ...event, ...(error !== undefined && { error: revivedError(error) }) } as unknown as SourceEvent<T> };
}
