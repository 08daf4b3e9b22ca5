import { DecodeError } from '../../api/errors/decodeError.js';
import { isRecord, parseJson } from '../decode/parseObject.js';
import { RequestError } from './requestError.js';

/** A complete answer to a request. */
export interface Answer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Fails when an answer's headers say that it is something else than JSON, for example the login page of a proxy. */
export function expectJson(headers: Answer['headers'], request: string): void {
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === '' || type === 'application/json' || type.endsWith('+json')) return;
  const message = `${request} was answered with ${JSON.stringify(type)}, expected application/json; is the server's URL that of an API server?`;
  throw new RequestError({ code: 'ERR_CONTENT_TYPE', message, request });
}

/** The JSON of a successful answer. */
export function jsonOf({ headers, body }: Answer, request: string): unknown {
  expectJson(headers, request);
  try {
    return parseJson(body, `the answer to ${request}`, 0);
  } catch (error) {
    throw error instanceof DecodeError ? new RequestError({ code: error.code, message: error.message, request }) : error;
  }
}

/** The JSON object of a successful answer. */
export function objectOf(answer: Answer, request: string): object {
  const value = jsonOf(answer, request);
  if (isRecord(value)) return value;
  const message = `Expected the answer to ${request} to be a JSON object, got another value`;
  throw new RequestError({ code: 'ERR_DECODE', message, request });
}
