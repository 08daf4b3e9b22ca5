/** The error of an unknown path: thrown below the HTTP layer, answered in plain text. */
export class PageNotFoundError extends Error {
  override readonly name = 'PageNotFoundError';
}
