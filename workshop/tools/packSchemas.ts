/**
 * Packs the definitions of Kubernetes' built-in kinds for the embedded API server: `node --import ./workshop/tools/register-ts-node.mjs workshop/tools/packSchemas.ts`
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';

/** Writes the content of a JSON file into a module, compressed. */
function pack(from: string, to: string, name: string, what: string, folder = 'schema/builtIn'): void {
  const json = JSON.stringify(JSON.parse(readFileSync(new URL(`schemas/${from}`, import.meta.url), 'utf8')));
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: json.length };
  const packed = brotliCompressSync(Buffer.from(json), { params }).toString('base64');
  const text = `/** ${what}: workshop/tools/schemas/${from}, compressed by workshop/tools/packSchemas.ts. Facts of Kubernetes, see NOTICE. */
// prettier-ignore
export const ${name}: string = '${packed}';
`;
  writeFileSync(new URL(`../../packages/api-server/src/${folder}/${to}`, import.meta.url), text);
  console.log(`${from}: ${String(json.length)} characters packed into ${String(packed.length)}`);
}

pack('kubernetes-1.36.json', 'packedDefinitions.ts', 'packedDefinitions', 'The definitions of the built-in kinds');
pack('absentFields-1.36.json', 'packedAbsentFields.ts', 'packedAbsentFields', 'The errors of absent fields');
pack('zeroValues-1.36.json', 'packedZeroValues.ts', 'packedZeroValues', 'The fields that Go always writes');
pack('bootstrap-1.36.json', 'packedBootstrap.ts', 'packedBootstrap', 'The initial objects of every cluster', 'kinds');
pack('fieldRules-1.36.json', 'packedFieldRules.ts', 'packedFieldRules', 'The errors of invalid values');
