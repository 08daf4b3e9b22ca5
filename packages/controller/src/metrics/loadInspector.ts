import type * as inspector from '@rx-informer/inspector';

/** The error of an optional package that is not installed; any other failure to load it is returned as it is. */
export function notInstalled(what: string, name: string, cause: unknown): unknown {
  const { code } = cause as { readonly code?: unknown };
  if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') return cause;
  return new Error(`${what} needs the package ${name}, which is not installed: npm install ${name}`, { cause });
}

/**
 * Loads the optional package `@rx-informer/inspector`, without its page.
 *
 * @param what - what needs it, for the error.
 * @throws Error when it is not installed.
 */
export async function loadInspector(what: string): Promise<typeof inspector> {
  try {
    return await import('@rx-informer/inspector');
  } catch (cause) {
    throw notInstalled(what, '@rx-informer/inspector', cause);
  }
}
