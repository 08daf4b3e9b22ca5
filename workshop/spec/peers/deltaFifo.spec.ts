import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createDeltaFifo, type Delta } from 'rx-informer/pipeline';
import type { KubernetesObject } from 'rx-informer';
import { buildClientGo, type ClientGo, hasGo, seed } from './clientGo.js';

interface Named {
  readonly name: string;
  readonly state: number;
}
interface ObjectStep {
  readonly do: 'add' | 'update' | 'delete';
  readonly object: Named;
}
interface ReplaceStep {
  readonly do: 'replace';
  readonly objects: readonly Named[];
}
interface BareStep {
  readonly do: 'resync' | 'pop';
}
type Step = ObjectStep | ReplaceStep | BareStep;
interface Script {
  readonly known: readonly Named[];
  readonly withoutKnown: boolean;
  readonly emitDeltaTypeReplaced: boolean;
  readonly steps: readonly Step[];
}
interface Popped {
  readonly type: string;
  readonly name: string;
  readonly state: number;
  readonly unknown: boolean;
}
interface Result {
  readonly popped: readonly Popped[];
  readonly initial: boolean;
  readonly keys: readonly string[];
  readonly synced: boolean;
}

const named = fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd'), state: fc.integer({ min: 1, max: 99 }) });
const unique = (maxLength: number): fc.Arbitrary<Named[]> => fc.uniqueArray(named, { selector: ({ name }) => name, maxLength });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record<ObjectStep>({ do: fc.constantFrom('add', 'update', 'delete'), object: named }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('replace' as const), objects: unique(4) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('resync' as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pop' as const) }) },
);
const script: fc.Arbitrary<Script> = fc.record({
  known: unique(4),
  withoutKnown: fc.boolean(),
  emitDeltaTypeReplaced: fc.boolean(),
  steps: fc.array(step, { minLength: 1, maxLength: 30 }),
});

const objectOf = ({ name, state }: Named): KubernetesObject => ({ metadata: { name, generation: state } });
const poppedOf = (delta: Delta<KubernetesObject>): Popped => ({
  type: delta.type,
  name: delta.key,
  state: delta.object?.metadata?.generation ?? 0,
  unknown: delta.type === 'Deleted' && delta.finalStateUnknown,
});

/** The result of this library for a script. */
function resultsOf({ known, withoutKnown, emitDeltaTypeReplaced, steps }: Script): readonly Result[] {
  const store = new Map(known.map((object) => [object.name, objectOf(object)]));
  const knownObjects = { listKeys: () => [...store.keys()].sort(), getByKey: (key: string) => store.get(key) };
  const fifo = createDeltaFifo<KubernetesObject>({ emitDeltaTypeReplaced, ...(!withoutKnown && { knownObjects }) });
  return steps.map((one) => {
    let popped: readonly Popped[] = [];
    let initial = false;
    if ('objects' in one) fifo.replace(one.objects.map(objectOf));
    else if ('object' in one) fifo[one.do](objectOf(one.object));
    else if (one.do === 'resync') fifo.resync();
    else
      fifo.tryPop((deltas, isInInitialList) => {
        popped = deltas.map(poppedOf);
        initial = isInInitialList;
        for (const { type, name, state } of popped) {
          if (type === 'Deleted') store.delete(name);
          else store.set(name, objectOf({ name, state }));
        }
      });
    return { popped, initial, keys: fifo.listKeys(), synced: fifo.hasSynced() };
  });
}

(hasGo ? describe : describe.skip)("DeltaFIFO, next to client-go's", () => {
  let clientGo: ClientGo;
  beforeAll(() => {
    clientGo = buildClientGo();
  }, 600_000);
  afterAll(() => clientGo.remove());

  it(`queues, compresses, replaces, resyncs and pops the same, seed ${String(seed)} (DF-02 to DF-12)`, () => {
    const scripts = fc.sample(script, { numRuns: 2_000, seed });
    const theirs = clientGo.run('fifo', scripts);
    scripts.forEach((one, at) => expect({ script: one, results: resultsOf(one) }).toEqual({ script: one, results: theirs[at] }));
  });
});
