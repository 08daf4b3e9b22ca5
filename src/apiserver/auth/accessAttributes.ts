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
