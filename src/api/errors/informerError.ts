import { brand } from '../brand.js';
import { foreignText } from './foreignText.js';

/** The messages of Node, Chromium, Firefox and Safari for a frozen object. */
const frozen = /read[- ]?only|not extensible|Cannot delete property/i;

/** The message of any thrown value, also of one that cannot be read. For a mutation of a frozen object, it explains how to change one. */
export function messageOf(error: unknown): string {
  try {
    if (!(error instanceof Error)) return String(error);
    const { message } = error;
    return error instanceof TypeError && frozen.test(message)
      ? `${message} (cached objects are frozen: make a changed copy with \`edit\`)`
      : message;
  } catch {
    return `a thrown ${typeof error} that has no text`;
  }
}

/** Any thrown value as an Error, without one that cannot be read. */
export function errorOf(thrown: unknown): Error {
  try {
    return thrown instanceof Error ? thrown : new Error(messageOf(thrown), { cause: thrown });
  } catch {
    return new Error(messageOf(thrown));
  }
}

/** The step that failed. */
export type InformerErrorCode =
  | 'ERR_LIST'
  | 'ERR_WATCH_START'
  | 'ERR_WATCH'
  | 'ERR_WATCH_EXPIRED'
  | 'ERR_NO_RESOURCE_VERSION'
  | 'ERR_DECODE'
  | 'ERR_INDEX_FUNC'
  | 'ERR_TRANSFORM'
  | 'ERR_HANDLER'
  | 'ERR_KEY'
  | 'ERR_WATCH_LIST'
  | 'ERR_NOT_SERVED'
  | 'ERR_STOPPED'
  | 'ERR_TIMEOUT'
  | 'ERR_OVERFLOW'
  | 'ERR_AUTH'
  | 'ERR_KUBECONFIG'
  | 'ERR_VIEW'
  | 'ERR_SNAPSHOT'
  | 'ERR_DRIFT';

/** What an InformerError is made of. */
export interface InformerErrorInit {
  readonly code: InformerErrorCode;
  readonly message: string;
  readonly cause?: unknown;
  /** The resource concerned, for example `deployments.apps`. */
  readonly resource?: string | undefined;
  /** The key of the object concerned. */
  readonly key?: string | undefined;
  /** The number of the failed attempt, counted from 1. */
  readonly attempt?: number | undefined;
}

/** The limit for a message: a foreign text of 1,024 bytes with our words around it. */
const maxBytes = 2048;

/**
 * A failure inside an informer: its `code` names the step, its `cause` is the original error.
 *
 * The message contains no secret that the client has sent, is a single line of at most 2,048 bytes, and says how much was cut off.
 *
 * Errors of both builds of this package (ES modules and CommonJS) are instances of each other.
 */
export class InformerError extends Error {
  override readonly name = 'InformerError';
  readonly code: InformerErrorCode;
  readonly resource: string;
  readonly key: string | undefined;
  readonly attempt: number | undefined;

  constructor(init: InformerErrorInit) {
    super(foreignText(init.message, maxBytes), init.cause === undefined ? undefined : { cause: init.cause });
    this.code = init.code;
    this.resource = init.resource ?? 'objects';
    this.key = init.key;
    this.attempt = init.attempt;
  }

  /** The JSON of the error, as in `JSON.stringify(informer.health())`: with the message, which an Error's JSON lacks. */
  toJSON(): object {
    const { name, code, message, resource, key, attempt, cause } = this;
    return { name, code, message, resource, key, attempt, cause: cause === undefined ? undefined : foreignText(messageOf(cause)) };
  }
}

brand(InformerError, 'InformerError');

/** The error of a step that has failed: what, and why. */
export function failureOf(code: InformerErrorCode, what: string, cause: unknown, about: Partial<InformerErrorInit> = {}): InformerError {
  return new InformerError({ ...about, code, message: `${what}: ${messageOf(cause)}`, cause });
}

/** Called with a failure. `'stop'` ends what has failed with that error, and so does an error that is thrown here; any other result continues. */
export type OnError = (error: InformerError) => unknown;

/** The error that ends what has failed, if `onError` says or does so. */
export function endOf(onError: OnError | undefined, error: InformerError): Error | undefined {
  try {
    return onError?.(error) === 'stop' ? error : undefined;
  } catch (thrown) {
    return errorOf(thrown);
  }
}
