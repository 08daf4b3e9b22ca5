import { foreignText } from '../../api/errors/foreignText.js';

/** The fields that errors have; those of another realm (a test runner's, for example) are no instances of our Error. */
type ErrorLike = Readonly<Partial<Record<'name' | 'message' | 'code' | 'cause' | 'errors', unknown>>>;

function isErrorLike(value: unknown): value is ErrorLike {
  return typeof value === 'object' && value !== null && 'message' in value;
}

/** What an error says, without secrets. The parser of JSON quotes what it could not parse, so its words are not used. */
export function redactedMessage(error: unknown): string {
  if (!isErrorLike(error)) return foreignText(String(error));
  const { name, message, errors } = error;
  if (name === 'SyntaxError') return 'malformed JSON';
  // Connecting to each of a host's addresses fails with all failures, and no word of its own.
  if (message === '' && Array.isArray(errors) && errors.length > 0) return redactedMessage(errors[0]);
  return foreignText(String(message));
}

/** The system's code of a failure, of the error itself or what caused it. */
export function systemCode(error: unknown): string | undefined {
  if (!isErrorLike(error)) return undefined;
  return typeof error.code === 'string' ? error.code : systemCode(error.cause);
}

/** The innermost error: `fetch` says what happened in the cause of its own error. */
export function rootCause(error: unknown): unknown {
  return isErrorLike(error) && isErrorLike(error.cause) ? rootCause(error.cause) : error;
}
