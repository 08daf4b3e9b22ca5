import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root: string = fileURLToPath(new URL('../../..', import.meta.url));
const site: string = join(root, 'workshop/site');

/** The folders of the site: pages are collected in `site/.pages`, and VitePress builds `docs-site` from them. */
export const paths: Readonly<Record<'root' | 'site' | 'pages' | 'files' | 'out', string>> = {
  root,
  /** The configuration of VitePress, with a package.json of its own. */
  site,
  pages: join(site, '.pages'),
  /** Files that are copied unchanged. */
  files: join(site, '.pages/public'),
  out: join(root, 'docs-site'),
};
