import { describe, expect, it } from '@jest/globals';
import { pod } from '../../../src/testing/fakes/fixtures.js';
import { added, deleted, synced, updated } from '../../../src/testing/marbles/resourceEvents.js';

const web = pod('shop/web');

describe('added, updated, deleted, synced', () => {
  it('are events with the key of their object, and with the flags that are given', () => {
    expect(added(web)).toEqual({ type: 'added', key: 'shop/web', object: web, initial: false, inferred: false });
    expect(added(web, { initial: true })).toMatchObject({ initial: true, inferred: false });
    const newer = pod('shop/web', { metadata: { resourceVersion: '2' } });
    expect(updated(web, newer, { resync: true })).toEqual({
      type: 'updated',
      key: 'shop/web',
      object: newer,
      oldObject: web,
      resync: true,
      inferred: false,
    });
    expect(deleted(web, { finalStateUnknown: true, inferred: true })).toEqual({
      type: 'deleted',
      key: 'shop/web',
      object: web,
      finalStateUnknown: true,
      inferred: true,
    });
    expect(synced('5', '3')).toEqual({ type: 'synced', resourceVersion: '5', previousResourceVersion: '3' });
  });

  it('refuse an update from one object to another', () => {
    expect(() => updated(web, pod('shop/db'))).toThrow('Expected two versions of one object, got "shop/web" and "shop/db"');
  });
});
