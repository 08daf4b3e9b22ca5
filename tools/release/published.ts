const until = /<!-- until published -->\n([^]*?)<!-- \/until published -->\n*/g;
const once = /<!-- once published\n([^]*?)-->\n/g;

/**
 * A page as it reads once the package is published. What stands between `<!-- until published -->` and `<!-- /until published -->` goes; what stands in a
 * comment that begins with `once published` is shown.
 */
export function asPublished(page: string): string {
  return page.replace(until, '').replace(once, '$1');
}

/** What a page says as long as the package is not published. */
export function untilPublished(page: string): string {
  return [...page.matchAll(until)].map(([, text = '']) => text).join('\n');
}

/**
 * The fields of a manifest that name the owner's pages and still have the placeholder.
 *
 * @param manifest - what package.json says.
 */
export function placeholdersOf(manifest: Readonly<Record<string, unknown>>): readonly string[] {
  return ['repository', 'homepage', 'bugs'].filter((field) => {
    const text = JSON.stringify(manifest[field] ?? '');
    return text === '""' || text.includes('OWNER');
  });
}

/** A page as it reads as long as the package is not published. */
export function asUnpublished(page: string): string {
  return page.replace(once, '');
}
