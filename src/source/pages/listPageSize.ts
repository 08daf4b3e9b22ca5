import { defaults } from '../../api/defaults.js';
import type { RelistVersion } from '../reflector/relistResourceVersion.js';

/**
 * How many objects a page of a list may have; `0` for one answer with everything.
 *
 * A caller's own size always counts. Otherwise pages are asked for where they cost no freshness: a limit turns "at least this version" into
 * "exactly this version" on the server, unless the match is spelled out, and then bypasses its cache.
 *
 * @param version - What the list asks for.
 * @param pageSize - The caller's choice, `undefined` for none.
 * @param paginated - Whether a list at version `0` came in pages before, which shows a server without a watch cache.
 * @internal
 */
export function listPageSize(version: RelistVersion, pageSize: number | undefined, paginated: boolean): number {
  if (pageSize !== undefined) return pageSize;
  if (paginated || version.resourceVersionMatch !== undefined) return defaults.pageSize;
  return version.resourceVersion === '' || version.resourceVersion === '0' ? defaults.pageSize : 0;
}
