// Writes src/client/decode/scanModule.ts. workshop/spec/installed/assembleScan.spec.ts fails when the committed file is not what it would write.
import { writeFile } from 'node:fs/promises';
import { assembleScan } from './assembleScan.js';

await writeFile(new URL('../../src/client/decode/scanModule.ts', import.meta.url), await assembleScan());
