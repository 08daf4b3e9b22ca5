import { typeNamed, parseType, dyn, type CelType } from './celType.js';
import type { Check } from './definedRule.js';

/** The variables of a policy's expression in addition to the object, the request and the namespace. */
export interface ExpressionScope {
  readonly hasParams: boolean;
  readonly hasAuthorizer: boolean;
  /** The types of the policy's variables that are defined before it; undefined where there can be none. */
  readonly variables: ReadonlyMap<string, CelType> | undefined;
  /** Whether the expression can build objects and patches. */
  readonly hasPatches?: boolean;
}

function object(name: string, fields: Readonly<Record<string, string | CelType>>): CelType {
  const entries = Object.entries(fields).map(([field, type]) => [field, typeof type === 'string' ? parseType(type) : type] as const);
  return { name: `kubernetes.${name}`, of: [], fields: new Map(entries) };
}

const kind = object('GroupVersionKind', { group: 'string', version: 'string', kind: 'string' });
const resource = object('GroupVersionResource', { group: 'string', version: 'string', resource: 'string' });
const user = { username: 'string', uid: 'string', groups: 'list(string)', extra: 'map(string,list(string))' };
const request = object('AdmissionRequest', {
  kind,
  resource,
  subResource: 'string',
  requestKind: kind,
  requestResource: resource,
  requestSubResource: 'string',
  name: 'string',
  namespace: 'string',
  operation: 'string',
  userInfo: object('UserInfo', user),
  dryRun: 'bool',
  options: 'dyn',
});
const condition = object('NamespaceCondition', {
  status: 'string',
  type: 'string',
  lastTransitionTime: 'timestamp',
  message: 'string',
  reason: 'string',
});
const metadata = {
  ...Object.fromEntries(['name', 'generateName', 'namespace', 'UID', 'resourceVersion'].map((name) => [name, 'string'])),
  ...Object.fromEntries(['labels', 'annotations'].map((name) => [name, 'map(string,string)'])),
  ...Object.fromEntries(['creationTimestamp', 'deletionTimestamp'].map((name) => [name, 'timestamp'])),
  ...Object.fromEntries(['deletionGracePeriodSeconds', 'generation'].map((name) => [name, 'int'])),
  finalizers: 'list(string)',
};
const namespace = object('Namespace', {
  metadata: object('NamespaceMetadata', metadata),
  spec: object('NamespaceSpec', { finalizers: 'list(string)' }),
  status: object('NamespaceStatus', { conditions: typeNamed('list', [condition]), phase: 'string' }),
});

/** An object can have any fields. Unknown fields of patches have a type without a name. */
const patches: readonly (readonly [string, CelType])[] = [
  ['Object', typeNamed('type', [{ name: 'Object', of: [], fields: new Map(), others: dyn }])],
  [
    'JSONPatch',
    typeNamed('type', [
      {
        name: 'JSONPatch',
        of: [],
        fields: new Map([...['op', 'path', 'from'].map((field) => [field, typeNamed('string')] as const), ['value', dyn]]),
        others: typeNamed(''),
      },
    ]),
  ],
];

/** The type that other expressions see of a variable: objects can be anything. */
function variableType(type: CelType): CelType {
  if (type.of.length > 0) return { ...type, of: type.of.map(variableType) };
  return type.fields !== undefined || /^(kubernetes|net)\./.test(type.name) ? dyn : type;
}

function variablesOf({ hasParams, hasAuthorizer, variables, hasPatches }: ExpressionScope): ReadonlyMap<string, CelType> {
  const known = new Map<string, CelType>([
    ['object', dyn],
    ['oldObject', dyn],
    ['namespaceObject', namespace],
    ['request', request],
    ...(hasPatches === true ? patches : []),
  ]);
  if (variables !== undefined) {
    const fields = new Map([...variables].map(([name, type]) => [name, variableType(type)]));
    known.set('variables', { name: 'kubernetes.variables', of: [], fields });
  }
  if (hasParams) known.set('params', dyn);
  if (hasAuthorizer) known.set('authorizer', typeNamed('Authorizer')).set('authorizer.requestResource', typeNamed('ResourceCheck'));
  return known;
}

/** The name of a type in messages about results. */
function resultName({ name, of }: CelType): string {
  return of.length === 0 ? name || 'dyn' : `${name}(${of.map(resultName).join(', ')})`;
}

/** Checks a policy's expression: it must compile, and its type must be one of `types` (any type for an empty list). */
export function admissionExpression(
  check: Check,
  text: string,
  scope: ExpressionScope,
  types: readonly string[],
): { readonly problem: string | undefined; readonly type: CelType } {
  const checked = check(text, variablesOf(scope));
  if (typeof checked === 'string') return { problem: checked, type: dyn };
  const { problem, expression } = checked;
  const type = problem === undefined ? (expression.type ?? dyn) : dyn;
  const name = resultName(type);
  if (problem !== undefined || types.length === 0 || types.includes(name)) return { problem, type };
  return { problem: `must evaluate to ${types.length === 1 ? (types[0] ?? '') : `one of [${types.join(' ')}]`} but got ${name}`, type };
}
