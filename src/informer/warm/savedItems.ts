import { concat, concatMap, defer, filter, map, type Observable } from 'rxjs';
import { listDecoder, type ListShape } from '../../client/decode/listDecoder.js';

const text = new TextEncoder();
const beginning = text.encode('{"items":[');
const comma = text.encode(',');
const end = text.encode(']}');

/**
 * Decodes saved objects as a list from the server is decoded, so that they share with those what they have in common.
 *
 * @param parts - JSON of whole objects, with a comma between two.
 * @internal
 */
export function savedItems<T>(parts: Observable<Uint8Array>, shape: ListShape, sharedBy: object | undefined): Observable<readonly T[]> {
  return defer(() => {
    const decoder = listDecoder<T>(shape, sharedBy);
    const separated$ = parts.pipe(concatMap((part, index) => (index === 0 ? [part] : [comma, part])));
    return concat([beginning], separated$, [end]).pipe(
      map((bytes) => {
        const items: T[] = [];
        decoder.push(bytes, (chunk) => items.push(...chunk.items));
        return items;
      }),
      filter((items) => items.length > 0),
    );
  });
}
