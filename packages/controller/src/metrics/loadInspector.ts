import type * as inspector from '@rx-informer/inspector';

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
    const { code } = cause as { readonly code?: unknown };
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw cause;
    const remedy = 'npm install @rx-informer/inspector';
    throw new Error(`${what} needs the package @rx-informer/inspector, which is not installed: ${remedy}`, { cause });
  }
}
