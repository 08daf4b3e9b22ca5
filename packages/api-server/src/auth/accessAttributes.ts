/** A request, by its user, verb and object. */
export interface AccessAttributes {
  readonly verb: string;
  /** `''` for the core group and outside the API. */
  readonly group: string;
  /** The plural; `''` outside the API. */
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** The path of a request outside the API, otherwise `''`. */
  readonly path: string;
}

/** Whether a request is allowed, and why; `''` without a reason. */
export interface AccessDecision {
  readonly allowed: boolean;
  readonly reason: string;
}
