import type { ListRequest } from '../../api/listerWatcher.js';
import type { RelistVersion } from '../reflector/relistResourceVersion.js';

/**
 * The first request of a list. The most recent state is asked for by leaving the version out, everything at once by leaving the limit out.
 *
 * @internal
 */
export function listRequest(version: RelistVersion, limit: number): ListRequest {
  return { ...(version.resourceVersion !== '' && version), ...(limit > 0 && { limit }) };
}
