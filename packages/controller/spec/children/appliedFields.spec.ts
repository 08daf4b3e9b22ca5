import { describe, expect, it } from '@jest/globals';
import { type AppliedFields, isApplied, valuesOf } from '../../src/children/appliedFields.js';

const leaf: AppliedFields = {};
const ports = {
  'f:spec': {
    'f:ports': {
      'k:{"port":80,"protocol":"TCP"}': { '.': leaf, 'f:port': leaf },
      'k:{"port":80,"protocol":"UDP"}': { '.': leaf, 'f:port': leaf, 'f:protocol': leaf },
    },
  },
};
const current = {
  spec: {
    type: 'ClusterIP',
    ports: [
      { port: 80, protocol: 'TCP', targetPort: 80 },
      { port: 80, protocol: 'UDP', targetPort: 80 },
      { port: 443, protocol: 'TCP' },
    ],
  },
};

describe('valuesOf', () => {
  it('has the values of the fields, of list items by their keys, and nothing else', () => {
    expect(valuesOf(ports, current)).toEqual({
      'f:spec': {
        'f:ports': {
          'k:{"port":80,"protocol":"TCP"}': { 'f:port': 80 },
          'k:{"port":80,"protocol":"UDP"}': { 'f:port': 80, 'f:protocol': 'UDP' },
        },
      },
    });
    expect(valuesOf({ 'f:finalizers': { 'v:"a"': leaf, 'v:"b"': leaf } }, { finalizers: ['a'] })).toEqual({
      'f:finalizers': { 'v:"a"': 'a', 'v:"b"': undefined },
    });
  });
});

describe('isApplied', () => {
  const own = (...list: object[]): object => ({ spec: { ports: list } });

  it('matches items whose keys have defaults', () => {
    expect(isApplied(ports, own({ port: 80 }, { port: 80, protocol: 'UDP' }), current)).toBe(true);
    expect(isApplied(ports, own({ port: 80, protocol: 'UDP' }, { port: 80 }), current)).toBe(true);
  });

  it.each<[string, object]>([
    ['an item less', own({ port: 80 })],
    ['an item more', own({ port: 80 }, { port: 80, protocol: 'UDP' }, { port: 443 })],
    ['a field more', { ...own({ port: 80 }, { port: 80, protocol: 'UDP' }), data: 'x' }],
    ['a field of an item more', own({ port: 80, name: 'web' }, { port: 80, protocol: 'UDP' })],
    ['another value', own({ port: 81 }, { port: 80, protocol: 'UDP' })],
    ['no list', { spec: { ports: 'none' } }],
    ['nothing', {}],
  ])('sees %s', (_, desired) => {
    expect(isApplied(ports, desired, current)).toBe(false);
  });

  it.each<[string, AppliedFields, object, object, boolean]>([
    [
      'a quantity in another form',
      { 'f:resources': { 'f:limits': { 'f:memory': leaf } } },
      { resources: { limits: { memory: '2048Mi' } } },
      { resources: { limits: { memory: '2Gi' } } },
      true,
    ],
    [
      'another quantity',
      { 'f:resources': { 'f:limits': { 'f:memory': leaf } } },
      { resources: { limits: { memory: '2048Mi' } } },
      { resources: { limits: { memory: '1Gi' } } },
      false,
    ],
    [
      'a quantity in an atomic list',
      { 'f:metrics': leaf },
      { metrics: [{ averageValue: '1000m' }] },
      { metrics: [{ averageValue: '1' }] },
      true,
    ],
    ['a text that looks like one', { 'f:data': { 'f:limits': leaf } }, { data: { limits: '1000m' } }, { data: { limits: '1' } }, false],
    ['a part of an atomic map less', { 'f:selector': leaf }, { selector: { a: '1' } }, { selector: { a: '1', b: '2' } }, false],
    [
      'what the server leaves out',
      { 'f:spec': { 'f:name': leaf } },
      { spec: { name: 'a', value: '', list: [], map: {} } },
      { spec: { name: 'a' } },
      true,
    ],
    ['zero, which it does not', { 'f:spec': { 'f:name': leaf } }, { spec: { name: 'a', replicas: 0 } }, { spec: { name: 'a' } }, false],
    ['a field that somebody removed', { 'f:spec': { 'f:name': leaf } }, { spec: { name: 'a' } }, { spec: {} }, false],
  ])('compares %s', (_, fields, desired, now, expected) => {
    expect(isApplied(fields, desired, now)).toBe(expected);
  });
});
