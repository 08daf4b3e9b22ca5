import type { FieldError } from '../status/statusErrors.js';

/** The order in which Kubernetes validates the fields of a struct, by the field that contains it; `''` for the struct itself. */
type Orders = Readonly<Record<string, readonly string[]>>;

const rule = ['resourceNames', 'operations', 'apiGroups', 'apiVersions', 'resources', 'scope'];
// Whether there are rules at all is looked at last.
const match = ['matchPolicy', 'namespaceSelector', 'objectSelector', 'resourceRules', 'excludeResourceRules', 'resourceRules?'];

const ofAdmission: Orders = {
  webhooks: (
    'rules failurePolicy matchPolicy sideEffects timeoutSeconds namespaceSelector objectSelector reinvocationPolicy clientConfig matchConditions ' +
    'admissionReviewVersions'
  ).split(' '),
  rules: rule,
  resourceRules: rule,
  excludeResourceRules: rule,
  matchConstraints: match,
  matchResources: match,
  matchConditions: ['expression', 'name'],
  service: ['name', 'namespace', 'port', 'path'],
  paramRef: ['name', 'selector', '', 'parameterNotFoundAction'],
  spec: (
    'policyName failurePolicy paramKind paramRef matchConstraints matchResources matchConditions variables mutations validations auditAnnotations ' +
    'reinvocationPolicy validationActions'
  ).split(' '),
};

const orders: Readonly<Record<string, Orders>> = {
  'admissionregistration.k8s.io': ofAdmission,
};

function segmentsOf(path: string): readonly string[] {
  return path.replace(/\.resourceRules$/, '$&?').split(/\.|(?=\[)/);
}

function compare(one: readonly string[], other: readonly string[], known: Orders): number {
  let holder = '';
  for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
    const [a = '', b = ''] = [one[at], other[at]];
    if (a !== b) {
      if (a.startsWith('[') && b.startsWith('[')) return parseInt(a.slice(1), 10) - parseInt(b.slice(1), 10);
      const [first, second] = [a, b].map((name) => known[holder]?.indexOf(name) ?? -1);
      return (first ?? -1) - (second ?? -1);
    }
    if (!a.startsWith('[')) holder = a;
  }
  return 0;
}

/** Findings in the order in which Kubernetes makes them, for groups whose order is known. */
export function inKnownOrder(group: string, errors: readonly FieldError[]): readonly FieldError[] {
  const known = orders[group];
  if (known === undefined || errors.length < 2) return errors;
  const paths = new Map(errors.map((error) => [error, segmentsOf(error.field)]));
  return errors.toSorted((one, other) => compare(paths.get(one) ?? [], paths.get(other) ?? [], known));
}
