import { describe, expect, it } from '@jest/globals';
import { fieldsOf } from '../../src/apply/fieldsOf.js';
import { listBy, object } from '../../src/kinds/fieldShape.js';

const shape = object({
  map: { values: {} },
  named: listBy('name'),
  ports: { keys: ['port', 'protocol'], keyDefaults: { protocol: 'TCP' } },
  tags: { keys: [] },
  whole: { atomic: true },
});

describe('fieldsOf', () => {
  it('takes leaves, entries of maps and items of lists, but no object that only holds others (rows 73 and 107)', () => {
    const value = {
      a: { b: 1 },
      map: { k: { x: 1 } },
      named: [{ name: 'n', y: 1 }],
      ports: [{ port: 80 }],
      tags: ['t'],
      whole: { z: 1 },
      list: [{ w: 1 }],
    };
    expect(fieldsOf(value, shape).toJSON()).toEqual({
      'f:a': { 'f:b': {} },
      'f:list': {},
      'f:map': { 'f:k': { '.': {}, 'f:x': {} } },
      'f:named': { 'k:{"name":"n"}': { '.': {}, 'f:name': {}, 'f:y': {} } },
      'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {} } },
      'f:tags': { 'v:"t"': {} },
      'f:whole': {},
    });
  });

  it('takes an object that holds nothing, and null (row 107)', () => {
    expect(fieldsOf({ emptyDir: {}, gone: null, named: [] }, shape).toJSON()).toEqual({ 'f:emptyDir': {}, 'f:gone': {} });
  });

  it('takes items that cannot be told apart as one (row 107)', () => {
    expect(
      fieldsOf(
        {
          named: [
            { name: 'n', a: 1 },
            { name: 'n', b: 1 },
          ],
        },
        shape,
      ).toJSON(),
    ).toEqual({ 'f:named': { 'k:{"name":"n"}': {} } });
  });
});
