import { of, throwError, type Observable } from 'rxjs';
import { apiErrorOfStatus } from '../../api/errors/apiError.js';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { ListChunk, ListRequest } from '../../api/listerWatcher.js';
import type { FakeHistory } from './fakeHistory.js';
import { expiredStatus, tooLargeResourceVersionStatus } from './serverErrors.js';

function chunksOf<T>(items: readonly T[], metadata: NonNullable<ListChunk<T>['metadata']>, chunkSize: number): Observable<ListChunk<T>> {
  if (items.length <= chunkSize) return of({ metadata, items });
  const chunks: ListChunk<T>[] = [];
  for (let at = 0; at < items.length; at += chunkSize) chunks.push({ items: items.slice(at, at + chunkSize) });
  return of(...chunks, { metadata, items: [] });
}

/**
 * Answers a list like a server with a watch cache: at version `0` everything in one answer; a limit with any other version means exactly that version;
 * a continue token continues at the version of the first page. A token contains that version, and the last key.
 *
 * @internal
 */
export function fakeListAnswer<T extends KubernetesObject>(
  history: FakeHistory<T>,
  request: ListRequest,
  selects: (object: T) => boolean,
  chunkSize: number,
): Observable<ListChunk<T>> {
  const { resourceVersion = '', resourceVersionMatch, limit = 0, continue: token = '' } = request;
  const [from = '', startAfter = ''] = token === '' ? [] : token.split('|');
  const asked = Number(token === '' ? resourceVersion : from);
  const exact = token !== '' || resourceVersionMatch === 'Exact' || (asked > 0 && limit > 0 && resourceVersionMatch === undefined);
  const current = String(history.version);
  if (asked > history.version) return throwError(() => apiErrorOfStatus(tooLargeResourceVersionStatus(String(asked), current)));
  if (exact && asked < history.oldest) return throwError(() => apiErrorOfStatus(expiredStatus(String(asked), String(history.oldest))));
  const version = exact ? asked : history.version;
  const rest = history.at(version).filter(([key, object]) => key > startAfter && selects(object));
  const count = limit > 0 && resourceVersion !== '0' ? limit : rest.length;
  const items = rest.slice(0, count).map(([, object]) => object);
  const next = count < rest.length ? { continue: `${version}|${rest[count - 1]?.[0] ?? ''}` } : {};
  return chunksOf(items, { resourceVersion: String(version), ...next }, chunkSize);
}
