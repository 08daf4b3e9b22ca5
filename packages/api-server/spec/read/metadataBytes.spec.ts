import { describe, expect, it } from '@jest/globals';
import { droppedOf, metadataOf } from '../../src/read/metadataBytes.js';
import { storedObjectOf, type StoredContent } from '../../src/store/storedObject.js';

const metadata = {
  name: 'a',
  annotations: { text: '"}],"managedFields":[ \\', other: '{[' },
  managedFields: [{ manager: 'x', fieldsV1: { 'f:metadata': { 'f:labels': {} } } }],
  ownerReferences: [{ name: 'owner', uid: '1' }],
};
/** A definition with new defaults puts them before the metadata. */
const body = ({ ...content }: object): Buffer => storedObjectOf({ a: 'A', metadata, ...content } as unknown as StoredContent, 5).body;
const read = (parts: readonly Buffer[]): unknown => JSON.parse(`{${Buffer.concat(parts).toString()}}`) as unknown;

describe('the bytes of a stored object', () => {
  it('hold its metadata, which is cut out as it is', () => {
    expect(read(metadataOf(body({ spec: { metadata: { name: 'inner' } } })))).toEqual({ metadata: { ...metadata, resourceVersion: '5' } });
  });

  it('lose their managed fields alone', () => {
    const { managedFields: _, ...rest } = metadata;
    expect(read(metadataOf(body({}), true))).toEqual({ metadata: { ...rest, resourceVersion: '5' } });
    const template = { metadata: { managedFields: [] } };
    const dropped = Buffer.concat(droppedOf(body({ spec: { template } }))).toString();
    expect(JSON.parse(`{${dropped}`)).toEqual({ a: 'A', metadata: { ...rest, resourceVersion: '5' }, spec: { template } });
  });

  it('stay whole without managed fields', () => {
    const content = { metadata: { name: 'b' } };
    expect(Buffer.concat(droppedOf(body(content))).toString()).toBe('"metadata":{"name":"b","resourceVersion":"5"},"a":"A"}');
  });
});
