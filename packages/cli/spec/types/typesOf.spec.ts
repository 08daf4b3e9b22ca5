import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { expectTypeOf } from 'expect-type';
import fc from 'fast-check';
import ts from 'typescript';
import type { WebSite } from './webSite.js';
import { readDefinitions } from '../../src/types/typesCommand.js';
import { typesOf } from '../../src/types/typesCommand.js';
import { setCondition } from '@rx-informer/controller';
import type { KubernetesObject, UnstructuredObject, V1CustomResourceDefinition } from 'rx-informer';
import { type Gadget, gadgets, gadgetsV1beta1, type GadgetV1beta1, type Resource2, resources } from './gadgets.js';
import { anyCharacter } from '../../../../spec/anyCharacter.js';

const made = (definitions: string): string => typesOf(readDefinitions(readFileSync(definitions, 'utf8'), definitions));
const linesOf = (file: string): string => readFileSync(file, 'utf8').replace(/'[./]+\/src\/index\.js'/, "'rx-informer'");

/** A definition with this schema. */
const definitionOf = (openAPIV3Schema: object, more: object = {}): V1CustomResourceDefinition => ({
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing', ...more },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
  },
});

/** The names that a file declares, and whether it can be parsed at all. */
function declaredIn(text: string): readonly string[] {
  const source = ts.createSourceFile('types.ts', text, ts.ScriptTarget.ES2022);
  const { parseDiagnostics } = source as unknown as { readonly parseDiagnostics: readonly unknown[] };
  expect(parseDiagnostics).toEqual([]);
  return source.statements.map((statement) => {
    if (ts.isInterfaceDeclaration(statement)) return statement.name.text;
    return ts.isVariableStatement(statement)
      ? (statement.declarationList.declarations[0]?.name.getText(source) ?? '?')
      : ts.SyntaxKind[statement.kind];
  });
}

describe('typesOf', () => {
  // What they are compared with is compiled with everything else, by `npm run check:types`.
  it.each([
    ['packages/cli/spec/types/definitions.yaml', 'packages/cli/spec/types/gadgets.ts'],
    ['packages/cli/spec/types/website.yaml', 'packages/cli/spec/types/webSite.ts'],
    ['packages/cli/spec/types/known.yaml', 'packages/cli/spec/types/known.ts'],
  ])('makes of %s what %s has', (definitions, file) => {
    expect(made(definitions)).toBe(linesOf(file));
  });

  it('knows what structural schemas can say', () => {
    type Spec = Gadget['spec'];
    expectTypeOf<Spec['port']>().toEqualTypeOf<number | string>();
    expectTypeOf<Spec['mode']>().toEqualTypeOf<'fast' | "it's slow">();
    expectTypeOf<Spec['level']>().toEqualTypeOf<1 | 2 | null | undefined>();
    expectTypeOf<Spec['weight']>().toEqualTypeOf<number | null | undefined>();
    expectTypeOf<Spec['limits']>().toEqualTypeOf<Readonly<Record<string, number | string>> | undefined>();
    expectTypeOf<Spec['args']>().toEqualTypeOf<readonly (string | null)[] | undefined>();
    expectTypeOf<Spec['matrix']>().toEqualTypeOf<readonly (readonly number[])[] | undefined>();
    expectTypeOf<Spec['template']>().toEqualTypeOf<UnstructuredObject | undefined>();
    expectTypeOf<NonNullable<Spec['claim']>>().toExtend<KubernetesObject>();
    expectTypeOf<NonNullable<Spec['mixed']>['known']>().toEqualTypeOf<string>();
    expectTypeOf<NonNullable<Spec['mixed']>['more']>().toEqualTypeOf<unknown>();
    expectTypeOf<Spec['anything']>().toEqualTypeOf<unknown>();
    expectTypeOf<GadgetV1beta1>().toExtend<KubernetesObject>();
    expectTypeOf<Resource2>().toExtend<UnstructuredObject>();
    expect([gadgets.version, gadgets.subresources, resources.namespaced]).toEqual(['v1', ['status', 'scale'], false]);
    expect([gadgetsV1beta1.version, gadgetsV1beta1.subresources]).toEqual(['v1beta1', undefined]);
  });

  it('makes conditions that helpers take and return', () => {
    const status: WebSite['status'] = {
      conditions: setCondition<NonNullable<NonNullable<WebSite['status']>['conditions']>[number]>(
        undefined,
        { type: 'Ready', status: 'True', reason: 'Up', message: '' },
        new Date(0),
      ),
    };
    expect(status.conditions?.[0]?.lastTransitionTime).toBe('1970-01-01T00:00:00Z');
  });

  it('lets nothing in a definition become code', () => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom(
        '*/ export const hacked = 1; /*',
        "'; export const hacked = 1; '",
        '}\nexport const hacked = 1;\n',
        '`${hacked}`',
        '\u2028',
        '__proto__',
        'default',
        'constructor',
        'import',
        '\\',
        "\\'",
      ),
    );
    fc.assert(
      fc.property(text, text, text, text, (name, description, value, plural) => {
        const property = { type: 'string', description, enum: [value, `${value}'`], tsType: 'typeof hacked', $ref: '/etc/passwd' };
        const schema = {
          type: 'object',
          description,
          properties: { [name]: property, spec: { type: 'object', properties: { [name]: property } } },
        };
        const names = declaredIn(typesOf([definitionOf(schema, { plural, kind: `K${name}`, singular: value, shortNames: [value] })]));
        expect(names[0]).toBe('ImportDeclaration');
        expect(names).toHaveLength(4);
        expect(names).not.toContain('hacked');
      }),
    );
  });

  it('lets no terminal act on it', () => {
    const text = typesOf([
      definitionOf({ type: 'object', description: '\u001b[31m\u009b', properties: { '\u001b': { type: 'string', enum: ['\u0007'] } } }),
    ]);
    // eslint-disable-next-line no-control-regex -- what is looked for
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u0080-\u009f]/);
  });
});

describe('readDefinitions', () => {
  it('finds definitions in Lists and among other objects', () => {
    const definition = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', ...definitionOf({ type: 'object' }) };
    const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [{ kind: 'Pod' }, definition] });
    expect(readDefinitions(text, 'x')).toEqual([definition]);
    expect(readDefinitions('', 'x')).toEqual([]);
  });

  it.each([
    [
      'kind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v1beta1',
      'to be of apiextensions.k8s.io/v1, got apiextensions.k8s.io/v1beta1',
    ],
    [
      'kind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v1\nmetadata: {name: a}',
      'CustomResourceDefinition a to have a `spec.group`',
    ],
    ['kind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v1\nspec: {group: a}', 'to have a plural and a kind'],
    [
      'kind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v1\nspec: {group: a, names: {plural: a, kind: A}}',
      'to have `spec.versions`',
    ],
    ['a: [', 'x: '],
  ])('says what is wrong with %j', (text, message) => {
    expect(() => readDefinitions(text, 'x')).toThrow(message);
  });
});
