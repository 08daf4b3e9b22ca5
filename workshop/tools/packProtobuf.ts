/**
 * Packs the protobuf messages of Kubernetes' kinds for the embedded API server, as the Go types of workshop/tools/clients/go describe them; Go has to be
 * installed: `node --import ./workshop/tools/register-ts-node.mjs workshop/tools/packProtobuf.ts`
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

const sources = fileURLToPath(new URL('clients/go', import.meta.url));
const target = new URL('../../packages/api-server/src/protobuf/packedMessages.ts', import.meta.url);

const output = execFileSync('go', ['run', '.', 'messages'], { cwd: sources, encoding: 'utf8', maxBuffer: 1 << 24 });
const json = JSON.stringify(JSON.parse(output));
const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: json.length };
const packed = brotliCompressSync(Buffer.from(json), { params }).toString('base64');
writeFileSync(
  target,
  `/** The messages of Kubernetes 1.36, compressed: see workshop/tools/packProtobuf.ts. Facts of Kubernetes, see NOTICE. */
// prettier-ignore
export const packedMessages: string = '${packed}';
`,
);
console.log(`${String(json.length)} characters packed into ${String(packed.length)}`);
