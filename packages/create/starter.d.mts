/** A mistake of the caller, which is printed as one line. */
export class UsageError extends Error {}

/**
 * Creates an operator in a new folder, and names it after the folder. Returns the text for the user.
 *
 * @param folder - the path; its last part is the name.
 *
 * @param options - the version of rx-informer and the runner of the tests.
 */
export function createOperator(
  folder: string,
  options?: {
    /** The version of rx-informer, or the path of a folder with the tarballs of all its packages. @defaultValue the version of this package */
    readonly rxInformer?: string | undefined;
    /** What runs the tests. @defaultValue `node` */
    readonly template?: string | undefined;
  },
): string;
