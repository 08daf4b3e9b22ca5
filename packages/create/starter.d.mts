/** A mistake of the caller, which is printed as one line. */
export class UsageError extends Error {}

/**
 * Creates an operator in a new folder, and names it after the folder. Returns the text for the user.
 *
 * @param folder - the path; its last part is the name.
 *
 * @param given - the version of rx-informer, or the path of a folder with the tarballs of all its packages; by default the version of this package.
 */
export function createOperator(folder: string, given?: string): string;
