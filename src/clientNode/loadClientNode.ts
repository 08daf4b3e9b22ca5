import type * as ClientNode from '@kubernetes/client-node' with { 'resolution-mode': 'import' };

/**
 * Loads `@kubernetes/client-node`, the only file that does so: loading it takes about 0.6 s and 60 to 90 MB.
 *
 * The package holds ES modules only. In the CommonJS build this file is replaced by the hand-written `loadClientNode.cjs` beside it,
 * because TypeScript would turn `import()` into `require()` there.
 */
export function loadClientNode(): Promise<typeof ClientNode> {
  return import('@kubernetes/client-node');
}
