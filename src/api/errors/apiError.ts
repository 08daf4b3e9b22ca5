import { brand } from '../brand.js';
import { foreignText, foreignTexts, hideSent } from './foreignText.js';
import type { Status, StatusCause, StatusDetails } from './status.js';

/** What an ApiError is made of. */
export interface ApiErrorInit {
  /** The HTTP status code, or the code of a Status inside a watch. */
  readonly code: number;
  readonly message: string;
  readonly status?: Status | undefined;
  /** From the `Retry-After` header or the Status, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** The request, for example `GET /api/v1/pods`: method and path, never a token. */
  readonly request?: string | undefined;
}

/** The causes that are kept; an object with more mistakes is not mended at once. */
const mostCauses = 100;
/** Reasons are words that programs go by: one of this form stays as it is. */
const reasonWord = /^[A-Z][A-Za-z]{0,39}$/;

type Loose = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Loose => typeof value === 'object' && value !== null;

/** The fields that hold a text, as they may be shown; others are left out. */
function textsOf(from: Loose, fields: readonly string[]): Record<string, string> {
  const given = fields.flatMap((field) => (typeof from[field] === 'string' ? [[field, from[field]] as const] : []));
  return Object.fromEntries(given.map(([field, text]) => [field, field === 'reason' && reasonWord.test(text) ? text : foreignText(text)]));
}

/** What a list goes on with is for the server, and must arrive as it came. */
function tokensOf(from: unknown): Status['metadata'] {
  if (!isObject(from)) return undefined;
  const { continue: next, resourceVersion } = from;
  return {
    ...(typeof next === 'string' && { continue: hideSent([next])[0] ?? '' }),
    ...(typeof resourceVersion === 'string' && { resourceVersion: foreignText(resourceVersion) }),
  };
}

function detailsOf(from: unknown, causes: readonly StatusCause[] | undefined): StatusDetails | undefined {
  if (!isObject(from)) return undefined;
  const { retryAfterSeconds } = from;
  return {
    ...textsOf(from, ['name', 'group', 'kind', 'uid']),
    ...(causes !== undefined && { causes }),
    ...(typeof retryAfterSeconds === 'number' && { retryAfterSeconds }),
  };
}

/**
 * A Status as it may be shown: of its known fields, those that have the right type, without secrets, control characters and endless texts. A server, or
 * what stands in front of it, may quote the credentials that it refuses, also in pieces: the message and those of the causes are looked at as one.
 */
export function foreignStatus(sent: object): Status {
  const { message, code, metadata, details } = sent as Loose;
  const sentCauses = isObject(details) && Array.isArray(details['causes']) ? details['causes'].filter(isObject) : undefined;
  const messages = [message, ...(sentCauses ?? []).slice(0, mostCauses).map((cause) => cause['message'])];
  const [shown, ...ofCauses] = foreignTexts(messages.map((text) => (typeof text === 'string' ? text : '')));
  const causes = sentCauses?.slice(0, mostCauses).map((cause, at) => ({
    ...textsOf(cause, ['reason', 'field']),
    ...(typeof cause['message'] === 'string' && { message: ofCauses[at] ?? '' }),
  }));
  const tokens = tokensOf(metadata);
  const known = detailsOf(details, causes);
  return {
    ...textsOf(sent as Loose, ['kind', 'apiVersion', 'status', 'reason']),
    ...(tokens !== undefined && { metadata: tokens }),
    ...(typeof message === 'string' && { message: shown ?? '' }),
    ...(known !== undefined && { details: known }),
    ...(typeof code === 'number' && { code }),
  };
}

/**
 * A request that the API server answered with anything but success, or an ERROR event of a watch.
 *
 * The texts of the server are shown without secrets, in one line, and with at most 1,024 bytes each; what is cut is counted.
 *
 * Errors of both builds of this package (ES modules and CommonJS) are instances of each other.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The HTTP status code, for example 404. */
  readonly code: number;
  /** The reason of the Status, for example `NotFound`; `''` when there is none. */
  readonly reason: string;
  readonly status: Status | undefined;
  readonly retryAfterMs: number | undefined;
  readonly request: string | undefined;

  constructor(init: ApiErrorInit) {
    super(foreignText(init.message));
    const status = init.status && foreignStatus(init.status);
    this.code = init.code;
    this.reason = status?.reason ?? '';
    this.status = status;
    this.retryAfterMs = init.retryAfterMs;
    this.request = init.request;
  }
}

brand(ApiError, 'ApiError');

/** The error that a Status stands for, without secrets in its words. */
export function apiErrorOfStatus(status: Status, request?: string): ApiError {
  const seconds = status.details?.retryAfterSeconds;
  return new ApiError({
    code: status.code ?? 0,
    message:
      [status.message, status.reason].find((text) => text !== undefined && text !== '') ?? 'The API server sent a Status without a message',
    status,
    retryAfterMs: seconds !== undefined && seconds > 0 ? seconds * 1000 : undefined,
    request,
  });
}
