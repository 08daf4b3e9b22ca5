// Creates CustomResourceDefinitions and deletes them again in a process of its own, for apiServer.ts: node --expose-gc apiServerDefinitions.js <count>
import { createApiServer } from '../../packages/api-server/src/createApiServer.js';

/** The bytes of heap in use, each after a garbage collection. */
export interface DefinitionFigures {
  readonly beforeMb: number;
  readonly fullMb: number;
  readonly afterMb: number;
  /** The bytes of one definition as JSON. */
  readonly bytesEach: number;
}

const megabyte = 1024 * 1024;
const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const count = Number(process.argv[2] ?? '2000');
const server = await createApiServer();

function heapMb(): number {
  // Twice: the second collection frees objects that finalizers retained in the first.
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / megabyte;
}

function definitionOf(number: number): object {
  const plural = `things${String(number)}`;
  const field = {
    type: 'string',
    pattern: '^[a-z]+$',
    description: 'One of many fields of an object that describes something. '.repeat(3),
  };
  const fields = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`field${String(at)}`, field]));
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: fields } } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural, kind: `Thing${String(number)}` },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

async function ask(method: string, place: string, body?: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${server.url}${place}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${method} ${place} was answered with ${String(answer.status)}`);
}

const each = (work: (number: number) => Promise<void>): Promise<void> =>
  Array.from({ length: count }, (_, number) => number).reduce((before, number) => before.then(() => work(number)), Promise.resolve());

await ask('POST', path, definitionOf(count));
await ask('DELETE', `${path}/things${String(count)}.example.com`);
const beforeMb = heapMb();
await each((number) => ask('POST', path, definitionOf(number)));
const fullMb = heapMb();
await each((number) => ask('DELETE', `${path}/things${String(number)}.example.com`));
await new Promise((resolve) => setTimeout(resolve, 100));
const figures: DefinitionFigures = { beforeMb, fullMb, afterMb: heapMb(), bytesEach: JSON.stringify(definitionOf(0)).length };
process.send?.(figures);
if (process.send === undefined) console.log(figures);
await server.close();
process.exit();
