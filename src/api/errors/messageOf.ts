/** How the engines of Node, Chromium, Firefox and Safari say that an object is frozen. */
const frozen = /read[- ]?only|not extensible|Cannot delete property/i;

/** The message of whatever was thrown. That of a mutation of a frozen object names the way to change one. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message } = error;
  return error instanceof TypeError && frozen.test(message)
    ? `${message} (cached objects are frozen: make a changed copy with \`edit\`)`
    : message;
}

/** Whatever was thrown, as an error. */
export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
}
