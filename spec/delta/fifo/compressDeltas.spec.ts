import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Delta } from '../../../src/api/events.js';
import { compressDeltas, type DeltaCompression, deltaCompressions } from '../../../src/delta/fifo/compressDeltas.js';
import { briefDeltas, delta, deletion, tombstone } from './deltas.js';
import { type Pod, pod } from '../pods.js';

const key = 'default/a';
const a = (resourceVersion: string, uid = 'first') => pod('a', resourceVersion, { uid });

/** Compresses and tells the result in brief. */
const compressed = (deltas: readonly Delta<Pod>[], mode?: DeltaCompression) => briefDeltas(compressDeltas(deltas, mode));

const types = ['Added', 'Updated', 'Replaced', 'Sync', 'Deleted', 'Tombstone', 'Lost'] as const;

/** Any deltas of one key, in the order of their versions. */
const deltasOf = (...uids: (string | undefined)[]) =>
  fc.array(fc.record({ type: fc.constantFrom(...types), uid: fc.constantFrom(...uids) }), { maxLength: 12 }).map((steps) =>
    steps.map(({ type, uid }, at): Delta<Pod> => {
      const resourceVersion = String(at + 10);
      const object: Pod = { metadata: { namespace: 'default', name: 'a', resourceVersion, ...(uid !== undefined && { uid }) } };
      if (type === 'Deleted') return deletion(object);
      if (type === 'Tombstone') return tombstone(key, object);
      return type === 'Lost' ? tombstone(key) : delta(type, object);
    }),
  );
/** As a server sends them, or without any uid. */
const anyDeltas = fc.oneof(deltasOf('first', 'second', 'third'), deltasOf(undefined));

/** What somebody sees who keeps one object: its uid comes and goes. */
function lives(deltas: readonly Delta<Pod>[], before: Pod | undefined): { seen: string[]; held: Pod | undefined } {
  const seen: string[] = [];
  let held = before;
  for (const each of deltas) {
    const uid = each.object?.metadata.uid;
    if (each.type === 'Deleted') {
      if (held !== undefined) seen.push(`-${held.metadata.uid ?? ''}`);
      held = undefined;
    } else {
      const replaced = held?.metadata.uid !== undefined && uid !== undefined && held.metadata.uid !== uid;
      if (replaced) seen.push(`-${held?.metadata.uid ?? ''}`);
      if (held === undefined || replaced) seen.push(`+${uid ?? ''}`);
      held = each.object;
    }
  }
  return { seen, held };
}

describe('compressDeltas', () => {
  it.each<[string, Delta<Pod>[], string]>([
    ['the older of two', [deletion(a('1')), deletion(a('2'))], 'Deleted a@1'],
    ['the older one when the newer was found out by a list', [deletion(a('1')), tombstone(key, a('2'))], 'Deleted a@1'],
    ['the newer one when the older was found out by a list', [tombstone(key, a('1')), deletion(a('2'))], 'Deleted a@2'],
    [
      'the newest of several that were found out by lists',
      [tombstone(key), tombstone(key, a('2')), tombstone(key, a('3'))],
      'Deleted a@3?',
    ],
  ])('keeps of adjacent deletions %s (DF-04)', (_, deltas, expected) => {
    expect(compressed(deltas)).toBe(expected);
  });

  it('keeps everything else by default (DF-04)', () => {
    const deltas = [delta('Added', a('1')), delta('Updated', a('2')), deletion(a('3')), delta('Replaced', a('4')), deletion(a('5'))];
    expect(compressDeltas(deltas)).toEqual(deltas);
  });

  describe("with 'latest'", () => {
    it.each<[string, Delta<Pod>[], string]>([
      ['the last of several states', [delta('Updated', a('1')), delta('Replaced', a('2')), delta('Updated', a('3'))], 'Updated a@3'],
      ['that the object is new', [delta('Added', a('1')), delta('Updated', a('2')), delta('Replaced', a('3'))], 'Added a@3'],
      ['a deletion alone of what came before it', [delta('Added', a('1')), delta('Updated', a('2')), deletion(a('3'))], 'Deleted a@3'],
      ['the last state of an object whose deletion has none', [delta('Updated', a('1')), tombstone(key)], 'Deleted a@1?'],
      [
        'a deletion and what came after it',
        [deletion(a('1')), delta('Added', a('2', 'b')), delta('Updated', a('3', 'b'))],
        'Deleted a@1, Added a@3',
      ],
      [
        'both of two objects of which one was never deleted',
        [delta('Updated', a('1')), delta('Updated', a('2', 'b'))],
        'Deleted a@1?, Updated a@2',
      ],
      [
        'nothing of an object between two others',
        [deletion(a('1')), delta('Added', a('2', 'b')), deletion(a('3', 'b')), delta('Added', a('4', 'c'))],
        'Deleted a@1, Added a@4',
      ],
      [
        'nothing of an object between two others whose deletion was missed',
        [deletion(a('1')), delta('Added', a('2', 'b')), delta('Added', a('4', 'c'))],
        'Deleted a@1, Added a@4',
      ],
      ['the deletion of the object that was there first', [tombstone(key, a('1')), deletion(a('2', 'b'))], 'Deleted a@1?'],
      ['of two deletions of an object the one that was seen', [tombstone(key, a('1')), deletion(a('2'))], 'Deleted a@2'],
      ['the first object when the second one came and went unseen', [delta('Updated', a('1')), deletion(a('2', 'b'))], 'Deleted a@1?'],
    ])('keeps %s', (_, deltas, expected) => {
      expect(compressed(deltas, 'latest')).toBe(expected);
    });

    it('keeps at most a deletion and a state', () => {
      fc.assert(
        fc.property(anyDeltas, (deltas) => {
          expect(
            compressDeltas(deltas, 'latest')
              .map(({ type }) => (type === 'Deleted' ? '-' : '+'))
              .join(''),
          ).toMatch(/^-?\+?$/);
        }),
      );
    });

    it('shows who held an object before that it is gone, whatever else it leaves out', () => {
      fc.assert(
        fc.property(deltasOf('first', 'second', 'third'), fc.constantFrom('first', 'second', undefined), (deltas, uid) => {
          const before = uid === undefined ? undefined : a('1', uid);
          const all = lives(deltas, before);
          const few = lives(compressDeltas(deltas, 'latest'), before);
          expect(few.held).toEqual(all.held);
          expect(few.seen.includes(`-${uid ?? ''}`)).toBe(all.seen.includes(`-${uid ?? ''}`) && before !== undefined);
          let at = 0;
          for (const step of all.seen) if (step === few.seen[at]) at += 1;
          expect(at).toBe(few.seen.length);
        }),
      );
    });
  });

  it.each(deltaCompressions)('leaves the end state as it is, whether compressed at once or one by one (%s)', (mode) => {
    fc.assert(
      fc.property(anyDeltas, (deltas) => {
        const whole = compressDeltas(deltas, mode);
        const stepwise = deltas.reduce<readonly Delta<Pod>[]>((before, each) => compressDeltas([...before, each], mode), []);
        expect(stepwise).toEqual(whole);
        expect(compressDeltas(whole, mode)).toEqual(whole);
        expect(lives(whole, undefined).held).toEqual(lives(deltas, undefined).held);
      }),
    );
  });

  it('keeps why an object has left, unless its deletion is observed', () => {
    const left: Delta<Pod> = { type: 'Deleted', key: 'default/a', object: undefined, finalStateUnknown: true, reason: 'revoked' };
    expect(compressDeltas([left, tombstone('default/a')])).toEqual([left]);
    expect(compressDeltas([left, deletion(a('3'))])).toEqual([deletion(a('3'))]);
    const updated: Delta<Pod> = { type: 'Updated', key: left.key, object: a('2') };
    expect(compressDeltas([updated, left], 'latest')).toEqual([{ ...left, object: a('2') }]);
  });

  it('leaves its input alone', () => {
    const deltas = Object.freeze([deletion(a('1')), Object.freeze(deletion(a('2')))]);
    expect(compressDeltas(deltas)).toHaveLength(1);
    expect(deltas).toHaveLength(2);
  });
});
