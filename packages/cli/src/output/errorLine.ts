import { ApiError, InformerError } from 'rx-informer';
import { printable } from './printable.js';

const hints: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there; is the server running, and is the address right?',
  ENOTFOUND: 'the host name is unknown; expected the address of an API server',
  EAI_AGAIN: 'the host name cannot be resolved',
  ECONNRESET: 'the server closed the connection',
  ETIMEDOUT: 'the server does not answer',
  CERT_HAS_EXPIRED: "the server's certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the server's certificate is self-signed; expected its certificate authority in the kubeconfig",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the server's certificate authority is unknown; expected it in the kubeconfig",
  SELF_SIGNED_CERT_IN_CHAIN: "the server's certificate authority is unknown; expected it in the kubeconfig",
};

function apiErrorLine(error: ApiError): string {
  if (error.code === 401) return 'the server refused the credentials (401); expected a valid, unexpired token or client certificate';
  if (error.code === 403) return `not allowed (403): ${error.message}`;
  return error.code > 0 ? `${error.message} (${String(error.code)})` : error.message;
}

/** An error on one line without control characters: the innermost cause with a message, never a stack trace. */
export function errorLine(error: unknown): string {
  if (error instanceof ApiError) return firstLine(apiErrorLine(error));
  if (error instanceof InformerError && error.cause !== undefined) return errorLine(error.cause);
  if (!(error instanceof Error)) return firstLine(String(error));
  const hint = hintOf(error) ?? hintOf(error.cause);
  return hint === undefined ? firstLine(error.message) : `${firstLine(error.message)}: ${hint}`;
}

function hintOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? hints[code] : undefined;
}

function firstLine(text: string): string {
  return printable(text.split(/\r?\n/, 1)[0] ?? '');
}
