import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root: string = fileURLToPath(new URL('../..', import.meta.url));
const site: string = join(root, 'site');

/** Where the parts of the site are made: its pages are laid together in `site/.pages`, and VitePress makes `docs-site` of them. */
export const paths: Readonly<Record<'root' | 'site' | 'pages' | 'files' | 'out', string>> = {
  root,
  /** What VitePress is configured by, with a package.json of its own. */
  site,
  pages: join(site, '.pages'),
  /** Files that are copied as they are. */
  files: join(site, '.pages/public'),
  out: join(root, 'docs-site'),
};
