/**
 * Packs the definitions of Kubernetes' built-in kinds for the embedded API server: `node --import ./tools/register-ts-node.mjs tools/packSchemas.ts`
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';

const source = new URL('schemas/kubernetes-1.36.json', import.meta.url);
const target = new URL('../src/testing/server/schema/builtIn/packedDefinitions.ts', import.meta.url);

const json = JSON.stringify(JSON.parse(readFileSync(source, 'utf8')));
const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: json.length };
const packed = brotliCompressSync(Buffer.from(json), { params }).toString('base64');
writeFileSync(
  target,
  `/** The definitions of tools/schemas/kubernetes-1.36.json, compressed: see tools/packSchemas.ts. Facts of Kubernetes, see NOTICE. */
// prettier-ignore
export const packedDefinitions: string = '${packed}';
`,
);
console.log(`${String(json.length)} characters packed into ${String(packed.length)}`);
