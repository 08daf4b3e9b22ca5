import type { HeapSnapshot } from './heapSnapshot.js';

/**
 * Strings with the same content.
 */
export interface EqualStrings {
  readonly content: string;
  readonly copies: number;
  /** The bytes of all copies except one. */
  readonly bytes: number;
}

/** The snapshot truncates longer strings. */
const longest = 1000;

/** Strings with several copies, sorted by bytes, largest first. */
export function equalStrings(snapshot: HeapSnapshot, nodes: Iterable<number>): readonly EqualStrings[] {
  const groups = new Map<string, { readonly size: number; copies: number }>();
  for (const node of nodes) {
    const content = snapshot.name(node);
    if (snapshot.type(node) !== 'string' || content.length > longest) continue;
    const group = groups.get(content);
    if (group === undefined) groups.set(content, { size: snapshot.size(node), copies: 1 });
    else group.copies += 1;
  }
  return [...groups]
    .filter(([, { copies }]) => copies > 1)
    .map(([content, { size, copies }]) => ({ content, copies, bytes: size * (copies - 1) }))
    .sort((a, b) => b.bytes - a.bytes);
}
