import type { JsonObject } from '../json.js';

/** The user of a request. */
export interface User {
  readonly name: string;
  readonly groups: readonly string[];
  /** Distinguishes users with the same name. */
  readonly uid?: string;
  /** Further attributes, such as the scopes of a token. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The user of all requests where no authentication is required. */
export const administrator: User = { name: 'system:admin', groups: ['system:masters', 'system:authenticated'] };

/** The user of requests without credentials. */
export const anonymous: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/** A user in the words of reviews. */
export function userInfo({ name, uid, groups, extra }: User): JsonObject {
  return { username: name, ...(uid !== undefined && { uid }), groups, ...(extra !== undefined && { extra }) };
}
