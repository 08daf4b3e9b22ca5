import type { Observable, ObservableInput } from 'rxjs';

/** The user of a page, as returned by `authenticate`. All fields count for authorization. */
export interface RelayUser {
  readonly name: string;
  readonly uid?: string | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
  /** When the credentials expire, in milliseconds since 1970: the stream ends then. @defaultValue never */
  readonly expiresAt?: number | undefined;
}

/** A permission: to list and watch this resource in this namespace; `''` stands for all namespaces, and for a resource that is not namespaced. */
export type RelayAccess = Readonly<{
  group: string;
  resource: string;
  namespace: string;
}>;

/** Decides what a user may see. */
export interface Authorizer {
  /**
   * Emits whether the user may both list and watch. Any value other than `true` denies. After an error, the last decision counts for at most 60 s.
   */
  // eslint-disable-next-line rxjs-x/finnish -- a function
  readonly review: (user: RelayUser, access: RelayAccess) => ObservableInput<boolean>;
  /** Hints that permissions may have changed: emits a predicate of affected users. Their permissions are checked again; the hint itself decides nothing. */
  readonly changed$?: Observable<(user: RelayUser) => boolean> | undefined;
}

/** A key that is equal for equal users, including all fields that count for authorization. */
export function userKey({ name, uid = '', groups = [], extra = {} }: RelayUser): string {
  const others = Object.entries(extra).map(([field, values]): [string, readonly string[]] => [field, [...values].sort()]);
  return JSON.stringify([name, uid, [...new Set(groups)].sort(), others.sort(([a], [b]) => (a < b ? -1 : 1))]);
}
