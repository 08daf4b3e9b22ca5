import type { Observable, ObservableInput } from 'rxjs';

/** Who follows a page: what `authenticate` has found out. All of it counts for what the user may see. */
export interface RelayUser {
  readonly name: string;
  readonly uid?: string | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
  /** When the credentials end, in milliseconds since 1970: the stream ends then. Default: never. */
  readonly expiresAt?: number | undefined;
}

/** What is asked: may the user list and watch this resource in this namespace? `''` is all namespaces, and the one of what has none. */
export interface RelayAccess {
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
}

/** Decides what a user may see. */
export interface Authorizer {
  /**
   * Emits one value: whether the user may both list and watch. Anything but `true` denies. An error keeps the last decision for 60 s at most.
   */
  // eslint-disable-next-line rxjs-x/finnish -- a function
  readonly review: (user: RelayUser, access: RelayAccess) => ObservableInput<boolean>;
  /** A hint that rights may have changed: emits a predicate of the users that it concerns. They are asked again; the hint itself decides nothing. */
  readonly changed$?: Observable<(user: RelayUser) => boolean> | undefined;
}

/** A text that is the same for the same user, with all that decides what the user may see. */
export function userKey({ name, uid = '', groups = [], extra = {} }: RelayUser): string {
  const others = Object.entries(extra).map(([field, values]): [string, readonly string[]] => [field, [...values].sort()]);
  return JSON.stringify([name, uid, [...new Set(groups)].sort(), others.sort(([a], [b]) => (a < b ? -1 : 1))]);
}
