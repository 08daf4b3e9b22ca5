import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { itEmbedded, openTarget, type Target } from '../support/target.js';

/** A request, and the answer of kube-apiserver 1.20.2: its code, and the parts of the body that do not depend on the run. */
interface Recording {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly code: number;
  readonly answer?: object;
}

const lines = readFileSync(new URL('../recordings/kubernetes-1.20.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const recordings = lines.map((line) => JSON.parse(line) as Recording);

interface Cause {
  readonly reason?: string;
  readonly field?: string;
}

/** An answer without its words: of an error, the code, the reason, and which fields are wrong remain. */
function wordless(code: number, answer: object): object {
  if (code < 400) return answer;
  const {
    message: _,
    details,
    ...rest
  } = answer as { readonly message?: string; readonly details?: { readonly causes?: readonly Cause[] } };
  const fields = details?.causes?.map(({ reason = '', field = '' }) => `${reason} ${field}`);
  return { ...rest, ...(details !== undefined && { details: { ...details, ...(fields && { causes: [...new Set(fields)].sort() }) } }) };
}

describe('recordings of kube-apiserver 1.20', () => {
  let target: Target;
  beforeAll(async () => {
    target = await openTarget({ profile: '1.26', garbageCollection: false, gracefulDeletionMs: Infinity });
  });
  afterAll(() => target.close());

  // In this order: later requests use the objects of earlier ones.
  for (const [at, { method, path, headers = {}, body, code, answer = {} }] of recordings.entries()) {
    itEmbedded(`${String(at + 1)}: ${method} ${path} is answered in the same way`, async () => {
      const received = await target.request(path, { method, headers, ...(body !== undefined && { body }) });
      expect({ code: received.code, json: wordless(code, received.json) }).toMatchObject({ code, json: wordless(code, answer) });
    });
  }
});
