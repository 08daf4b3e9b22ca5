import type { StructuralSchema } from '../../../../api/definitions/structuralSchema.js';
import type { CelType } from './celType.js';
import type { CheckedExpression } from './checkedExpression.js';
import { typeNamed } from './celType.js';
import { namesIn } from './checkExpression.js';
import { estimateCost } from './estimateCost.js';
import { largestRequest, schemaType } from './schemaType.js';

/** A rule of a schema, or the expression of its message. */
export interface DefinedRule {
  /** In the words of the API server; undefined for a correct one. */
  readonly problem: string | undefined;
  /** The largest cost of one evaluation. */
  readonly cost: number;
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

  /** How many values of the schema a request can have. */
  get most(): number {
    return Math.floor(largestRequest / ((this.self.min ?? 0) + 1));
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
    if (typeof checked === 'string') return { problem: checked, cost: 0, usesOldSelf: /\boldSelf\b/.test(text) };
    const { expression, problem } = checked;
    const found = problem ?? (expression.type?.name === type ? undefined : otherwise);
    if (found !== undefined) return { problem: found, cost: 0, usesOldSelf: false };
    const usesOldSelf = [...namesIn(expression)].includes('oldSelf');
    return { problem: undefined, cost: estimateCost(expression, self), usesOldSelf };
  }
}
