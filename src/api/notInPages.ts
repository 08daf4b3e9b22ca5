/** Throws for a feature that is left out of the build for pages. `what` is an option or a method, in backticks. */
export function notInPages(what: string): never {
  throw new TypeError(`Expected no ${what} in a page: it is left out of the version for pages (docs/relay.md)`);
}
