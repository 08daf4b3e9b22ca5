import { isJsonObject, jsonType } from '../json.js';
import { jsonProblem } from '../http/decodeBody.js';
import { badRequest } from '../status/statusErrors.js';

const tokenVersion = 'meta.k8s.io/v1';

/** The position at which a list continues. */
export interface ContinueToken {
  /** The version of the whole list; -1 for the newest version. */
  readonly resourceVersion: number;
  /** The smallest key of the next page, relative to the list's prefix. */
  readonly start: string;
}

/** Encodes a token: opaque to clients, in the same form as Kubernetes' own. */
export function encodeContinueToken({ resourceVersion, start }: ContinueToken): string {
  return Buffer.from(JSON.stringify({ v: tokenVersion, rv: resourceVersion, start })).toString('base64url');
}

/** The token that continues after a key. */
export function tokenAfter(resourceVersion: number, key: string): string {
  return encodeContinueToken({ resourceVersion, start: `${key}\0` });
}

function refuse(problem: string): never {
  throw badRequest(`invalid continue token: continue key is not valid: ${problem}`);
}

function decodeBase64(token: string): string {
  const bad = token.search(/[^-\w]/);
  if (bad >= 0 || token.length % 4 === 1) refuse(`illegal base64 data at input byte ${String(bad >= 0 ? bad : token.length - 1)}`);
  return Buffer.from(token, 'base64url').toString('latin1');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'latin1').toString());
  } catch (error) {
    return refuse(jsonProblem(error));
  }
}

/**
 * Decodes a token sent by a client.
 *
 * @throws StatusError 400
 */
export function decodeContinueToken(token: string): ContinueToken {
  // Go decodes `null` as an empty object.
  const parsed = parse(decodeBase64(token)) ?? {};
  if (!isJsonObject(parsed)) refuse(`expected an object, got ${jsonType(parsed)}`);
  const { v, rv, start } = parsed;
  if (v !== tokenVersion) refuse(`server does not recognize this encoded version ${typeof v === 'string' ? v : ''}`);
  if (typeof rv !== 'number' || !Number.isSafeInteger(rv) || rv === 0 || rv < -1)
    refuse(`incorrect encoded start resourceVersion (version ${tokenVersion})`);
  if (typeof start !== 'string' || start === '') refuse(`encoded start key empty (version ${tokenVersion})`);
  const key = start.replace(/\0$/, '');
  if (key.startsWith('/') || key.split('/').some((part) => part === '..' || part === '.')) refuse(start);
  return { resourceVersion: rv, start };
}
