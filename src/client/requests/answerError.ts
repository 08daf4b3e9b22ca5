import { ApiError } from '../../api/errors/apiError.js';
import { apiErrorOfStatus } from '../../api/errors/apiErrorOfStatus.js';
import { isStatus } from '../../api/errors/isStatus.js';
import type { Status } from '../../api/errors/status.js';
import type { Answer } from './answer.js';

function statusOf(text: string): Status | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isStatus(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Proxies and overloaded servers answer in plain text or with a page; only a plain text is worth a look. */
function messageOf({ status, headers }: Answer, text: string, request: string): string {
  const type = headers['content-type'] ?? '';
  const said = `${request} was answered with ${status}`;
  if (/^text\/html\b/i.test(type) || /^\s*</.test(text)) return `${said} and a page of HTML, which no API server sends`;
  // Who refuses credentials may quote them.
  if (text.trim() === '' || status === 401) return said;
  return `${said}: ${text.trim()}`;
}

function retryAfterMsOf(headers: Answer['headers']): number | undefined {
  const seconds = headers['retry-after']?.trim() ?? '';
  return /^\d+$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}

/**
 * The error that an unsuccessful answer stands for, with what its Status says.
 *
 * @see client-go's `errors.NewGenericServerResponse`
 */
export function answerError(answer: Answer, request: string): ApiError {
  const text = new TextDecoder().decode(answer.body);
  const status = statusOf(text);
  const retryAfterMs = retryAfterMsOf(answer.headers);
  if (status === undefined) return new ApiError({ code: answer.status, message: messageOf(answer, text, request), retryAfterMs, request });
  const error = apiErrorOfStatus({ ...status, code: status.code ?? answer.status }, request);
  return retryAfterMs === undefined
    ? error
    : new ApiError({ code: error.code, message: error.message, status: error.status, retryAfterMs, request });
}
