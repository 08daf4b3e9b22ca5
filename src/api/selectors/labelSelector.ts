/** How a label's value is compared. */
export type LabelOperator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'GreaterThan' | 'LessThan';

/** One condition of a label selector. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

/** The selector as objects of the API carry it, for example in a Deployment's spec. */
export interface LabelSelectorObject {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] }[];
}

/** Labels that an object must have, with these values: the short form of selectors, as in the spec of a Service. */
export type LabelMap = Readonly<Record<string, string>>;

/** A label selector ready to use: all requirements must hold. No requirement selects everything. */
export interface LabelSelector {
  readonly requirements: readonly LabelRequirement[];
  /** Whether an object with these labels is selected. */
  matches(labels: Readonly<Record<string, string>> | undefined): boolean;
  /** The selector as it stands in a URL's query. */
  toString(): string;
}

/** The 64-bit integer that a text stands for; undefined where it stands for none. */
export function integerOf(text: string): bigint | undefined {
  if (!/^[-+]?\d{1,40}$/.test(text)) return undefined;
  const integer = BigInt(text.replace('+', ''));
  return BigInt.asIntN(64, integer) === integer ? integer : undefined;
}

function requirementHolds({ key, operator, values }: LabelRequirement, labels: Readonly<Record<string, string>>): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    default: {
      const actual = integerOf(value ?? '');
      const bound = integerOf(values[0] ?? '');
      if (actual === undefined || bound === undefined) return false;
      return operator === 'GreaterThan' ? actual > bound : actual < bound;
    }
  }
}

function requirementText({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
    case 'In':
      return values.length === 1 ? `${key}=${values[0] ?? ''}` : `${key} in (${values.join(',')})`;
    case 'NotIn':
      return values.length === 1 ? `${key}!=${values[0] ?? ''}` : `${key} notin (${values.join(',')})`;
    default:
      return `${key}${operator === 'GreaterThan' ? '>' : '<'}${values[0] ?? ''}`;
  }
}

const noLabels: Readonly<Record<string, string>> = {};

/** A selector made of requirements that are known to be valid. */
export function labelSelectorOf(requirements: readonly LabelRequirement[]): LabelSelector {
  return {
    requirements,
    matches: (labels) => requirements.every((requirement) => requirementHolds(requirement, labels ?? noLabels)),
    toString: () => requirements.map(requirementText).join(','),
  };
}
