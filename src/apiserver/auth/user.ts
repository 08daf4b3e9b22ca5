/** Who sends a request. */
export interface User {
  readonly name: string;
  readonly groups: readonly string[];
  /** Distinguishes users of one name. */
  readonly uid?: string;
  /** What else is known of them, such as the scopes of a token. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Whom everybody acts as where nobody has to say who they are. */
export const administrator: User = { name: 'system:admin', groups: ['system:masters', 'system:authenticated'] };

/** Whoever has not said who they are. */
export const anonymous: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };
