import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Json, JsonObject } from '../../src/json.js';
import { builtInShape } from '../support/builtInShape.js';
import { applyStrategicMergePatch } from '../../src/write/strategicMergePatch.js';

const podShape = builtInShape('', 'pods');

function patched(spec: Json, patch: Json): Json | undefined {
  return applyStrategicMergePatch({ spec }, { spec: patch }, podShape)['spec'];
}

function podWith(...containers: readonly JsonObject[]): JsonObject {
  return { containers };
}

describe('applyStrategicMergePatch', () => {
  it('merges objects, and removes what is null (row 72)', () => {
    const document = { metadata: { labels: { a: '1', b: '2' } }, data: { k: 'v' } };
    const patch = { metadata: { labels: { b: null, c: '3', d: null } }, data: { l: 'w' } };
    expect(applyStrategicMergePatch(document, patch, builtInShape('', 'configmaps'))).toEqual({
      metadata: { labels: { a: '1', c: '3' } },
      data: { k: 'v', l: 'w' },
    });
  });

  it('merges lists by their key, and puts new items first (row 72)', () => {
    const spec = podWith({ name: 'c', image: 'i', env: [{ name: 'A', value: '1' }] });
    const patch = podWith({ name: 'side', image: 's' }, { name: 'c', env: [{ name: 'B', value: '2' }] });
    expect(patched(spec, patch)).toEqual(
      podWith(
        { name: 'side', image: 's' },
        {
          name: 'c',
          image: 'i',
          env: [
            { name: 'B', value: '2' },
            { name: 'A', value: '1' },
          ],
        },
      ),
    );
  });

  it.each<[string, string, string, string, JsonObject, string]>([
    ['', 'pods', 'spec', 'volumes', { name: 'v' }, 'name'],
    ['', 'pods', 'spec', 'initContainers', { name: 'i' }, 'name'],
    ['', 'pods', 'spec', 'ephemeralContainers', { name: 'e' }, 'name'],
    ['', 'pods', 'spec', 'imagePullSecrets', { name: 's' }, 'name'],
    ['', 'pods', 'spec', 'hostAliases', { ip: '1.2.3.4' }, 'ip'],
    ['', 'pods', 'spec', 'topologySpreadConstraints', { topologyKey: 'zone' }, 'topologyKey'],
    ['', 'pods', 'spec', 'schedulingGates', { name: 'g' }, 'name'],
    ['', 'pods', 'spec', 'resourceClaims', { name: 'r' }, 'name'],
    ['', 'pods', 'status', 'conditions', { type: 'Ready' }, 'type'],
    ['', 'services', 'spec', 'ports', { port: 80 }, 'port'],
    ['', 'pods', 'metadata', 'ownerReferences', { uid: 'u' }, 'uid'],
    ['storage.k8s.io', 'csinodes', 'spec', 'drivers', { name: 'd' }, 'name'],
  ])('merges %s/%s %s.%s by key (row 72)', (group, plural, part, list, item, key) => {
    const before = { [part]: { [list]: [{ ...item, kept: 1, changed: 1 }, { [key]: 'other' }] } };
    const patch = { [part]: { [list]: [{ ...item, changed: 2 }] } };
    const after = { [part]: { [list]: [{ ...item, kept: 1, changed: 2 }, { [key]: 'other' }] } };
    expect(applyStrategicMergePatch(before, patch, builtInShape(group, plural))).toEqual(after);
  });

  it.each<[string, JsonObject]>([
    ['ports', { containerPort: 80 }],
    ['volumeMounts', { mountPath: '/x' }],
    ['volumeDevices', { devicePath: '/dev/x' }],
    ['env', { name: 'E' }],
  ])('merges %s of a container by their key, in templates too (row 72)', (list, item) => {
    const template = (fields: JsonObject): JsonObject => ({
      spec: { template: { spec: podWith({ name: 'c', [list]: [{ ...item, ...fields }] }) } },
    });
    const after = applyStrategicMergePatch(template({ kept: 1 }), template({ added: 2 }), builtInShape('apps', 'deployments'));
    expect(after).toEqual(template({ kept: 1, added: 2 }));
  });

  it.each<[string, Json, Json]>([
    ['tolerations', [{ key: 'a' }], [{ key: 'b' }]],
    ['readinessGates', [{ conditionType: 'a' }], [{ conditionType: 'b' }]],
  ])('replaces %s as a whole (row 72)', (list, before, patch) => {
    expect(patched({ [list]: before }, { [list]: patch })).toEqual({ [list]: patch });
  });

  it('replaces the arguments of a container as a whole (row 72)', () => {
    expect(patched(podWith({ name: 'c', args: ['a', 'b'] }), podWith({ name: 'c', args: ['b'] }))).toEqual(
      podWith({ name: 'c', args: ['b'] }),
    );
  });

  it('merges finalizers as a set, and takes out what a directive names (row 72)', () => {
    const document = { metadata: { finalizers: ['a/a', 'b/b'] } };
    const added = applyStrategicMergePatch(document, { metadata: { finalizers: ['c/c', 'b/b'] } }, podShape);
    expect(added).toEqual({ metadata: { finalizers: ['c/c', 'a/a', 'b/b'] } });
    const patch = { metadata: { '$deleteFromPrimitiveList/finalizers': ['a/a', 'z/z'] } };
    expect(applyStrategicMergePatch(added, patch, podShape)).toEqual({ metadata: { finalizers: ['c/c', 'b/b'] } });
  });

  it('deletes an item with $patch: delete, and a list with $patch: replace (row 72)', () => {
    const spec = podWith({ name: 'a' }, { name: 'b' });
    expect(patched(spec, podWith({ $patch: 'delete', name: 'a' }))).toEqual(podWith({ name: 'b' }));
    expect(patched(spec, podWith({ $patch: 'replace' }, { name: 'x' }))).toEqual(podWith({ name: 'x' }));
  });

  it('replaces or empties an object with $patch (row 72)', () => {
    const spec = { nodeSelector: { a: '1' }, securityContext: { runAsUser: 1, fsGroup: 2 } };
    const context = { securityContext: { $patch: 'replace', runAsUser: 5 }, nodeSelector: { $patch: 'delete' } };
    expect(patched(spec, context)).toEqual({ nodeSelector: {}, securityContext: { runAsUser: 5 } });
  });

  it('changes nothing for null, and drops new items with a directive', () => {
    const spec = podWith({ name: 'c' });
    expect(applyStrategicMergePatch({ spec }, null, podShape)).toEqual({ spec });
    expect(patched({}, podWith({ name: 'c', $patch: 'merge' }, { name: 'd' }))).toEqual(podWith({ name: 'd' }));
  });

  it('keeps only the fields that $retainKeys names (row 72)', () => {
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } };
    const patch = { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } };
    expect(applyStrategicMergePatch({ spec: { strategy } }, patch, builtInShape('apps', 'deployments'))).toEqual({
      spec: { strategy: { type: 'Recreate' } },
    });
    const volumes = { volumes: [{ $retainKeys: ['name', 'emptyDir'], name: 'v', emptyDir: {} }] };
    expect(patched({ volumes: [{ name: 'v', hostPath: { path: '/' } }] }, volumes)).toEqual({ volumes: [{ name: 'v', emptyDir: {} }] });
  });

  it('orders items as $setElementOrder says, and leaves the others where they stood (row 72)', () => {
    const spec = podWith({ name: 'a' }, { name: 'server' }, { name: 'b' }, { name: 'c' });
    const order = { '$setElementOrder/containers': [{ name: 'c' }, { name: 'new' }, { name: 'a' }, { name: 'b' }] };
    const patch = {
      ...order,
      containers: [
        { name: 'new', image: 'n' },
        { name: 'b', image: 'i' },
      ],
    };
    const names = (patched(spec, patch) as { containers: readonly JsonObject[] }).containers.map(({ name }) => name);
    expect(names).toEqual(['server', 'c', 'new', 'a', 'b']);
    const scalars = { metadata: { finalizers: ['a/a', 'b/b'] } };
    const swapped = { metadata: { '$setElementOrder/finalizers': ['b/b', 'a/a'] } };
    expect(applyStrategicMergePatch(scalars, swapped, podShape)).toEqual({ metadata: { finalizers: ['b/b', 'a/a'] } });
  });

  it('leaves nulls and objects with $patch out of what is new, and keeps other directives as fields (row 72)', () => {
    const strange = { $retainKeys: ['x'], '$setElementOrder/x': [] };
    expect(patched({}, { ...podWith({ name: 'n', image: null, ...strange }), other: { deep: { $patch: 'merge' }, y: null } })).toEqual({
      ...podWith({ name: 'n', ...strange }),
      other: {},
    });
    expect(patched({}, { replaced: { $patch: 'replace', x: 1 } })).toEqual({});
    expect(patched(podWith({ name: 'c' }), podWith({ name: 'n', image: null, ...strange }))).toEqual(
      podWith({ name: 'n', image: null, ...strange }, { name: 'c' }),
    );
  });

  it('reads nothing else beside $patch (row 72)', () => {
    expect(patched({ x: 1 }, { $patch: 'delete', $retainKeys: 1, '$setElementOrder/x': 1 })).toEqual({});
    expect(patched({ x: 1 }, { $patch: 'replace', $retainKeys: 1 })).toEqual({ $retainKeys: 1 });
  });

  it('ignores deletions from what is no list there, and removes a list for null (row 72)', () => {
    const deletions = { '$deleteFromPrimitiveList/x': ['a'], '$deleteFromPrimitiveList/containers': 1 };
    expect(patched(podWith({ name: 'c' }), deletions)).toEqual(podWith({ name: 'c' }));
    expect(patched(podWith({ name: 'c' }), { '$deleteFromPrimitiveList/containers': null })).toEqual({});
  });

  it('merges items with the same key one after the other, in the place of the first (row 72)', () => {
    const [first, other] = [
      { name: 'x', image: '1' },
      { name: 'y', image: '2' },
    ];
    expect(patched(podWith({ name: 'c' }), podWith(first, other, { name: 'x', command: ['z'] }))).toEqual(
      podWith({ ...first, command: ['z'] }, other, { name: 'c' }),
    );
  });

  it('leaves of the patch what messages of errors show (row 72)', () => {
    const patch = {
      spec: { $retainKeys: ['containers', 'a'], ...podWith(), '$setElementOrder/containers': [], a: { b: null, c: { $patch: 'x' } } },
    };
    applyStrategicMergePatch({ spec: podWith({ name: 'c' }) }, patch, podShape);
    expect(patch).toEqual({ spec: { a: {} } });
  });

  it.each<[string, Json, number, string]>([
    ['an unknown directive', { $patch: 'bogus' }, 500, 'unknown patch type: "bogus" in map: {"$patch":"bogus"}'],
    ['the default as a directive', { $patch: 'merge', x: 1 }, 500, 'unknown patch type: "merge" in map: {"$patch":"merge","x":1}'],
    ['the default in a list', podWith({ name: 'c', $patch: 'merge' }), 500, 'merging lists cannot yet be specified in the patch'],
    ['an item without its key', podWith({ image: 'i' }), 500, 'map: {"image":"i"} does not contain declared merge key: name'],
    ['a directive that is no text', { $patch: [1, null] }, 500, 'unknown patch type: [1,null] in map: {"$patch":[1,null]}'],
    [
      'an order without an item that replaces',
      { '$setElementOrder/containers': [{ name: 'a' }], containers: [{ name: 'a' }, { $patch: 'replace', name: 'b' }] },
      500,
      `The order in patch list [{"name":"a"},{"$patch":"replace","name":"b"}] doesn't match $setElementOrder list [{"name":"a"}]`,
    ],
    ['an order that is no list', { '$setElementOrder/containers': 1 }, 500, 'expected array, but received number'],
    ['an order of nothing', { $setElementOrder: [] }, 400, 'invalid patch format of setElementOrder list'],
    ['an order of no items at all', { '$setElementOrder/volumes': [], volumes: [] }, 500, 'no elements in any of the given slices'],
    [
      'an order of an unknown field',
      { '$setElementOrder/x': [] },
      500,
      'unable to find api field in struct PodSpec for the json field "x"',
    ],
    ['an order of what is no list', { '$setElementOrder/hostname': [] }, 500, 'expected slice or array type, but got: struct'],
    [
      'an order in a map',
      { nodeSelector: { '$setElementOrder/x': [] } },
      500,
      'merging an object in json but data type is not struct, instead is: map',
    ],
    ['an order of scalars', { '$setElementOrder/containers': ['c'] }, 500, 'expected object, but received string'],
    ['deletions of nothing', { $deleteFromPrimitiveList: [] }, 400, 'invalid patch format of primitive list'],
    [
      'deletions of objects without a key',
      { '$deleteFromPrimitiveList/tolerations': [{}] },
      500,
      'cannot merge lists without merge key for struct',
    ],
    ['a list of lists', podWith([] as never), 500, 'list element types are not identical'],
    [
      'a list of lists where there was none',
      { '$setElementOrder/volumes': [], volumes: [[]] },
      422,
      'the server rejected our request due to an error in our request',
    ],
    ['a field that is not to be retained', { $retainKeys: ['a'], b: 1 }, 400, 'invalid patch format of retainKeys'],
    [
      'an order without an item of the patch',
      { ...podWith({ name: 'x' }), '$setElementOrder/containers': [{ name: 'c' }] },
      500,
      expect.stringContaining('The order in patch list') as never,
    ],
    ['a scalar among objects', { containers: ['x'] }, 500, 'list element types are not identical'],
  ])('refuses %s (row 72)', (_, patch, code, message) => {
    const refused = (): unknown => patched({ ...podWith({ name: 'c' }), nodeSelector: { a: 'b' }, tolerations: [{}] }, patch);
    expect(refused).toThrow(expect.objectContaining({ status: expect.objectContaining({ code, message }) }));
  });

  it('changes nothing of the document in place, and nothing at all the second time', () => {
    const item = fc.record({ name: fc.constantFrom('a', 'b', 'c'), image: fc.constantFrom('1', '2') }, { requiredKeys: ['name'] });
    const spec = fc.record({
      containers: fc.uniqueArray(item, { selector: ({ name }) => name }),
      nodeSelector: fc.dictionary(fc.constantFrom('x', 'y'), fc.constantFrom('1', '2')),
    });
    fc.assert(
      fc.property(spec, spec, (before, patch) => {
        const kept = structuredClone(before);
        const once = patched(before, patch);
        expect(before).toEqual(kept);
        expect(patched(once ?? null, patch)).toEqual(once);
        expect((once as { containers: readonly unknown[] }).containers).toHaveLength(
          new Set([...before.containers, ...patch.containers].map(({ name }) => name)).size,
        );
      }),
    );
  });
});
