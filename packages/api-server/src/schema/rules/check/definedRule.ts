import type { StructuralSchema } from 'rx-informer/internal';
import type { CelType } from './celType.js';
import type { CheckedExpression } from './checkedExpression.js';
import { typeNamed } from './celType.js';
import { namesIn } from './checkExpression.js';
import { schemaType } from './schemaType.js';

/** A rule of a schema, or the expression of its message. */
export interface DefinedRule {
  /** Undefined for a correct one. */
  readonly problem: string | undefined;
  readonly usesOldSelf: boolean;
}

/** Checks expressions whose variables have types: a text is a syntax error. */
export type Check = (text: string, variables: ReadonlyMap<string, CelType>) => CheckedExpression | string;

/** The rules of one place of a schema. */
export class RuleScope {
  private readonly check: Check;
  private readonly self: CelType;

  private constructor(check: Check, self: CelType) {
    this.check = check;
    this.self = self;
  }

  /** Undefined for a schema that rules cannot read. */
  static of(check: Check, schema: StructuralSchema, isRoot: boolean): RuleScope | undefined {
    // The API server draws the number anew for each rule.
    const self = schemaType(schema, 'selfType1', isRoot);
    return self === undefined ? undefined : new RuleScope(check, self);
  }

  rule(text: string, hasOptionalOld: boolean): DefinedRule {
    return this.defined(text, hasOptionalOld, 'bool', 'cel expression must evaluate to a bool');
  }

  message(text: string, hasOptionalOld: boolean): DefinedRule {
    const { problem, ...rest } = this.defined(text, hasOptionalOld, 'string', 'must evaluate to a string');
    return { ...rest, problem: problem === undefined ? undefined : `messageExpression ${problem}` };
  }

  private defined(text: string, hasOptionalOld: boolean, type: string, otherwise: string): DefinedRule {
    const { self } = this;
    const before = hasOptionalOld ? typeNamed('optional', [self]) : self;
    const checked = this.check(
      text,
      new Map([
        ['self', self],
        ['oldSelf', before],
      ]),
    );
    if (typeof checked === 'string') return { problem: checked, usesOldSelf: /\boldSelf\b/.test(text) };
    const { expression, problem } = checked;
    const found = problem ?? (expression.type?.name === type ? undefined : otherwise);
    if (found !== undefined) return { problem: found, usesOldSelf: false };
    return { problem: undefined, usesOldSelf: [...namesIn(expression)].includes('oldSelf') };
  }
}
