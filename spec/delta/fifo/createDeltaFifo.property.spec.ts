import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Delta, Deltas } from '../../../src/api/events.js';
import { createIndexer } from '../../../src/cache/store/createIndexer.js';
import { DeletedFinalStateUnknown } from '../../../src/api/kubernetesObject.js';
import { createDeltaFifo } from '../../../src/delta/fifo/createDeltaFifo.js';
import { RequeueError } from '../../../src/delta/fifo/deltaProcessor.js';
import { delta, deletion, tombstone } from './deltas.js';
import { type Pod, pod } from '../pods.js';
import { runs } from '../../tier.js';

const names = ['a', 'b', 'c', 'd'];
const keyOf = (name: string) => `default/${name}`;

type Command =
  | { readonly type: 'add' | 'update' | 'delete' | 'deleteUnknown'; readonly name: string }
  | { readonly type: 'replace'; readonly listed: readonly string[] }
  | { readonly type: 'resync' }
  | { readonly type: 'pop'; readonly outcome: 'ok' | 'fail' | 'requeue'; readonly meanwhile: string | undefined };

const name = fc.constantFrom(...names);
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ type: fc.constantFrom<'add' | 'update' | 'delete' | 'deleteUnknown'>('add', 'update', 'delete', 'deleteUnknown'), name }),
  fc.record({ type: fc.constant<'replace'>('replace'), listed: fc.array(name, { maxLength: 5 }) }),
  fc.record({ type: fc.constant<'resync'>('resync') }),
  fc.record({
    type: fc.constant<'pop'>('pop'),
    outcome: fc.constantFrom<'ok' | 'fail' | 'requeue'>('ok', 'ok', 'ok', 'fail', 'requeue'),
    meanwhile: fc.option(name, { nil: undefined }),
  }),
);

/** The queue as the rows describe it, in the plainest form: lists, and searching through them. */
class Model {
  items: { readonly key: string; readonly deltas: Delta<Pod>[] }[] = [];
  /** What the consumer has. */
  readonly known = new Map<string, Pod>();
  populated = false;
  initial = 0;

  find(key: string): Delta<Pod>[] | undefined {
    return this.items.find((item) => item.key === key)?.deltas;
  }

  queue(next: Delta<Pod>): void {
    const deltas = this.find(next.key);
    if (deltas === undefined) this.items.push({ key: next.key, deltas: [next] });
    else deltas.push(next);
    for (const item of this.items) {
      for (let at = 1; at < item.deltas.length; at += 1) {
        const [older, newer] = [item.deltas[at - 1], item.deltas[at]];
        if (older?.type !== 'Deleted' || newer?.type !== 'Deleted') continue;
        item.deltas.splice(at - 1, 2, older.finalStateUnknown ? newer : older);
      }
    }
  }

  delete(next: Delta<Pod>): void {
    this.populated = true;
    if (this.find(next.key) !== undefined || this.known.has(next.key)) this.queue(next);
  }

  replace(objects: readonly Pod[]): void {
    const keys = objects.map(({ metadata }) => keyOf(metadata.name));
    for (const object of objects) this.queue(delta('Replaced', object));
    for (const { key, deltas } of [...this.items]) {
      if (!keys.includes(key)) this.queue(tombstone(key, deltas.at(-1)?.object));
    }
    for (const [key, object] of this.known) {
      if (!keys.includes(key) && this.find(key) === undefined) this.queue(tombstone(key, object));
    }
    if (!this.populated) this.initial = this.items.length;
    this.populated = true;
  }

  resync(): void {
    for (const [key, object] of this.known) if (this.find(key) === undefined) this.queue(delta('Sync', object));
  }

  hasSynced(): boolean {
    return this.populated && this.initial === 0;
  }
}

describe('createDeltaFifo', () => {
  it('does what a naive model of its rows does (DF-03, DF-07)', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
        const model = new Model();
        const indexer = createIndexer<Pod>();
        const queue = createDeltaFifo<Pod>({ knownObjects: indexer });
        let version = 0;
        const next = (of: string) => pod(of, String((version += 1)));

        const pop = ({ outcome, meanwhile }: Extract<Command, { type: 'pop' }>) => {
          const expected = model.items.shift();
          const isInitial = !model.hasSynced();
          const news = meanwhile === undefined ? undefined : next(meanwhile);
          let got: Deltas<Pod> | undefined;
          const process = (deltas: Deltas<Pod>, isInInitialList: boolean) => {
            got = deltas;
            expect([isInInitialList, queue.hasSynced()]).toEqual([isInitial, !isInitial]);
            if (news !== undefined) {
              queue.update(news);
              model.queue(delta('Updated', news));
            }
            if (outcome === 'requeue') throw new RequeueError();
            if (outcome === 'fail') throw new Error('failed');
            const newest = deltas.at(-1);
            if (newest === undefined) return;
            if (newest.type !== 'Deleted') {
              indexer.update(newest.object);
              model.known.set(newest.key, newest.object);
            } else if (model.known.delete(newest.key)) {
              indexer.delete(new DeletedFinalStateUnknown<Pod>(newest.key));
            }
          };
          try {
            queue.tryPop(process);
          } catch {
            // As wished.
          }
          expect(got).toEqual(expected?.deltas);
          if (expected === undefined) return;
          if (outcome === 'requeue' && model.find(expected.key) === undefined) model.items.push(expected);
          if (model.initial > 0) model.initial -= 1;
        };

        for (const each of commands) {
          if (each.type === 'pop') {
            pop(each);
          } else if (each.type === 'replace') {
            const objects = each.listed.map(next);
            queue.replace(objects);
            model.replace(objects);
          } else if (each.type === 'resync') {
            queue.resync();
            model.resync();
          } else if (each.type === 'delete') {
            const object = next(each.name);
            queue.delete(object);
            model.delete(deletion(object));
          } else if (each.type === 'deleteUnknown') {
            const object = next(each.name);
            queue.delete(new DeletedFinalStateUnknown(keyOf(each.name), object));
            model.delete(tombstone(keyOf(each.name), object));
          } else {
            const object = next(each.name);
            queue[each.type](object);
            model.queue(delta(each.type === 'add' ? 'Added' : 'Updated', object));
            model.populated = true;
          }
          expect(queue.listKeys()).toEqual(model.items.map(({ key }) => key));
          expect(queue.list()).toEqual(model.items.map(({ deltas }) => deltas));
          expect(queue.hasSynced()).toBe(model.hasSynced());
        }
      }),
      { numRuns: runs(2_000) },
    );
  });
});
