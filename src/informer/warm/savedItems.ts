import { concatMap, defer, from, type Observable } from 'rxjs';
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
    decoder.push(beginning, () => undefined);
    let isFirst = true;
    const push = (bytes: Uint8Array): T[] => {
      const items: T[] = [];
      decoder.push(bytes, (chunk) => items.push(...chunk.items));
      return items;
    };
    const decoded = parts.pipe(
      concatMap((part) => {
        if (!isFirst) push(comma);
        isFirst = false;
        return [push(part)];
      }),
    );
    return from([decoded, defer(() => [push(end)])]).pipe(concatMap((items$) => items$));
  });
}
