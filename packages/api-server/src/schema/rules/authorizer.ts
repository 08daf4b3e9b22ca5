import type { Environment } from '@marcbachmann/cel-js';
import type { AccessAttributes, AccessDecision } from '../../auth/accessAttributes.js';
import type { User } from '../../auth/user.js';
import { nameProblems } from '../../write/nameProblem.js';

/** Whether a user may do something. */
type Decide = (user: User, attributes: AccessAttributes) => AccessDecision;

const nothing: AccessAttributes = { verb: '', group: '', resource: '', subresource: '', namespace: '', name: '', path: '' };

function filled(text: string, what: string): string {
  if (text.trim() === '') throw new Error(`${what} must not be empty`);
  return text;
}

/** What evaluations cost. Only checks of access are counted: every other step costs a small part of one. */
export class Cost {
  /** Of the present expression. */
  own = 0;
  /** What all expressions may still cost. */
  left = 0;

  add(cost: number): void {
    this.own += cost;
    this.left -= cost;
  }
}

const checkCost = 350_000;

/** The answer to a check. */
class Decision {
  readonly allowed: boolean;
  readonly reason: string;
  readonly error: string;

  constructor({ allowed, reason }: AccessDecision, error = '') {
    this.allowed = allowed;
    this.reason = reason;
    this.error = error;
  }
}

/** What an expression asks about, before it names the verb. */
class Check {
  readonly authorizer: Authorizer;
  readonly attributes: AccessAttributes;

  constructor(authorizer: Authorizer, attributes: Partial<AccessAttributes>) {
    this.authorizer = authorizer;
    this.attributes = { ...nothing, ...attributes };
  }

  check(verb: string): Decision {
    const { cost, decide, user } = this.authorizer;
    cost.add(checkCost);
    try {
      return new Decision(decide(user, { ...this.attributes, verb }));
    } catch (error) {
      return new Decision({ allowed: false, reason: '' }, error instanceof Error ? error.message : String(error));
    }
  }
}

class PathCheck extends Check {}
class GroupCheck extends Check {}
class ResourceCheck extends Check {
  with(more: Partial<AccessAttributes>): ResourceCheck {
    return new ResourceCheck(this.authorizer, { ...this.attributes, ...more });
  }
}

/** The variable `authorizer`: what a user may do. */
export class Authorizer {
  readonly user: User;
  readonly decide: Decide;
  readonly cost: Cost;
  /** The resource of the request. */
  readonly requestResource: ResourceCheck | undefined;

  constructor(user: User, decide: Decide, cost: Cost, request?: Partial<AccessAttributes>) {
    this.user = user;
    this.decide = decide;
    this.cost = cost;
    this.requestResource = request && new ResourceCheck(this, request);
  }

  ofAccount(namespace: string, name: string): Authorizer {
    if (nameProblems(name, 'subdomain').length > 0) throw new Error('Invalid service account name');
    if (nameProblems(namespace, 'label').length > 0) throw new Error('Invalid service account namespace');
    const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
    return new Authorizer({ name: `system:serviceaccount:${namespace}:${name}`, groups }, this.decide, this.cost);
  }
}

const types = { Authorizer, PathCheck, GroupCheck, ResourceCheck, Decision };

/** Adds the functions that check what users may do. */
export function addAuthorizer(environment: Environment): void {
  for (const [name, type] of Object.entries(types)) {
    const whole = `kubernetes.authorization.${name}`;
    environment.registerType(whole, type).registerOperator(`${whole} == ${whole}`, () => {
      throw new Error('no such overload');
    });
  }
  const functions: Readonly<Record<string, (...values: never[]) => unknown>> = {
    'Authorizer.path(string): PathCheck': (one: Authorizer, path: string) => new PathCheck(one, { path: filled(path, 'path') }),
    'Authorizer.group(string): GroupCheck': (one: Authorizer, group: string) => new GroupCheck(one, { group }),
    'Authorizer.serviceAccount(string, string): Authorizer': (one: Authorizer, namespace: string, name: string) =>
      one.ofAccount(namespace, name),
    'GroupCheck.resource(string): ResourceCheck': ({ authorizer, attributes }: GroupCheck, resource: string) =>
      new ResourceCheck(authorizer, { ...attributes, resource: filled(resource, 'resource') }),
    'ResourceCheck.subresource(string): ResourceCheck': (one: ResourceCheck, subresource: string) => one.with({ subresource }),
    'ResourceCheck.namespace(string): ResourceCheck': (one: ResourceCheck, namespace: string) => one.with({ namespace }),
    'ResourceCheck.name(string): ResourceCheck': (one: ResourceCheck, name: string) => one.with({ name }),
    // Roles know no selectors.
    'ResourceCheck.fieldSelector(string): ResourceCheck': (one: ResourceCheck) => one,
    'ResourceCheck.labelSelector(string): ResourceCheck': (one: ResourceCheck) => one,
    'PathCheck.check(string): Decision': (one: PathCheck, verb: string) => one.check(verb),
    'ResourceCheck.check(string): Decision': (one: ResourceCheck, verb: string) => one.check(verb),
    'Decision.allowed(): bool': ({ allowed }: Decision) => allowed,
    'Decision.reason(): string': ({ reason }: Decision) => reason,
    'Decision.errored(): bool': ({ error }: Decision) => error !== '',
    'Decision.error(): string': ({ error }: Decision) => error,
  };
  for (const [signature, handler] of Object.entries(functions))
    environment.registerFunction(
      signature.replace(/\b[A-Z]\w*/g, 'kubernetes.authorization.$&'),
      handler as (...values: unknown[]) => unknown,
    );
}
