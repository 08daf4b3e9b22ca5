/**
 * A path that no part of the server knows: thrown below the HTTP layer, answered in plain text.
 */
export class PageNotFoundError extends Error {
  override readonly name = 'PageNotFoundError';
}
