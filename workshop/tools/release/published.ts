const until = /<!-- until published -->\n([^]*?)<!-- \/until published -->\n*/g;
const once = /<!-- once published\n([^]*?)-->\n/g;

/**
 * A page as it reads after the package is published: text between `<!-- until published -->` and `<!-- /until published -->` is removed,
 * and text in a comment that begins with `once published` is shown.
 */
export function asPublished(page: string): string {
  return page.replace(until, '').replace(once, '$1');
}

/** The text of a page that is removed when the package is published. */
export function untilPublished(page: string): string {
  return [...page.matchAll(until)].map(([, text = '']) => text).join('\n');
}

/**
 * The fields of a manifest that should name the owner's pages, but still have the placeholder.
 *
 * @param manifest - the content of package.json.
 */
export function placeholdersOf(manifest: Readonly<Record<string, unknown>>): readonly string[] {
  return ['repository', 'homepage', 'bugs'].filter((field) => {
    const text = JSON.stringify(manifest[field] ?? '');
    return text === '""' || text.includes('OWNER');
  });
}

/**
 * The root's manifest with the owner's pages. It is the one file with the placeholder: manifest.mjs gives the fields to all packages when they are packed.
 *
 * @throws TypeError when the owner is no name of an account or organization.
 */
export function withOwner(manifest: string, owner: string): string {
  if (!/^[A-Za-z\d][A-Za-z\d-]*$/.test(owner)) throw new TypeError(`Expected --owner to be an account or organization, got ${owner}`);
  return manifest.replaceAll('/OWNER/', `/${owner}/`);
}

/** A page as it reads before the package is published. */
export function asUnpublished(page: string): string {
  return page.replace(once, '');
}
