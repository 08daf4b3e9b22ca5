/** How many buckets a snapshot has, a power of two. Of 100,000 objects, one holds a hundred: as cheap to copy as the array of all. */
export const bucketCount = 1024;

/** The bucket of a key, by its FNV-1a hash. */
export function bucketOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return hash & (bucketCount - 1);
}
