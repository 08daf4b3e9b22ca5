import { describe, expect, it } from '@jest/globals';
import { resources, type ResourceEvent, type UnstructuredObject } from 'rx-informer';
import { parseOutput } from '../../src/output/parseOutput.js';

const object: UnstructuredObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', annotations: { 'a.b/c': 'v1' }, labels: { app: 'x', tier: 'y' } },
  spec: { containers: [{ name: 'a', args: ['1', '2'] }, { name: 'b' }], grace: 0, host: false },
};
const event: ResourceEvent<UnstructuredObject> = { type: 'added', key: 'web', object, initial: false, inferred: false };
const subject = { resource: resources.core.v1.pods as never, columns: [], showKind: false, colour: false, allNamespaces: true };

describe('-o, as kubectl has it', () => {
  it.each([
    ['{.metadata.name}', 'web'],
    ['{$.metadata.name}{@.kind}', 'webPod'],
    ["{.metadata.annotations['a\\.b/c']}", 'v1'],
    ['{.metadata.annotations.a\\.b/c}', 'v1'],
    ['{.spec.containers[*].name}', 'a b'],
    ['{.spec.containers[-1].name}{"\\t"}{.spec.grace}{.spec.host}', 'b\t0false'],
    ['{.spec.containers[0].args}', '["1","2"]'],
    [`{'a"b'}{"it's"}{'\\t'}{'{'}{"}"}{"q\\"q"}{'q\\'q'}`, `a"bit's\t{}q"qq'q`],
    ['x{.nope}y', 'xy'],
  ])('prints jsonpath=%s', (template, text) => {
    const output = parseOutput(`jsonpath=${template}`);
    expect(output.type === 'text' && output.format(event, subject)).toBe(`${text}\n`);
  });

  it.each([
    ['.metadata.name', 'web'],
    ['metadata.name', 'web'],
    ['{.metadata.name}', 'web'],
    ['.spec.containers[*].name', 'a,b'],
    ['.metadata.labels.*', 'x,y'],
    ["{.metadata.annotations['a\\.b/c']}", 'v1'],
    ['.spec.grace', '0'],
    ['.nope', '<none>'],
  ])('prints custom-columns=X:%s', (path, text) => {
    const output = parseOutput(`custom-columns=X:${path},KIND:.kind`);
    expect(output.type === 'table' && output.columnsOf([]).map((column) => column.cell(object, 0))).toEqual([text, 'Pod']);
  });
});
