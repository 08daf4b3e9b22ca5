import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { integerOf, type LabelOperator, type LabelRequirement, labelSelectorOf, parseLabelSelector } from '../../../src/api/selectors.js';

/** The objects of a recorded namespace, by name. */
const recorded: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  l0: { app: 'even', n: '0' },
  l1: { app: 'odd', n: '1' },
  l2: { app: 'even', n: '2' },
  l3: { app: 'odd', n: '3' },
  l99: { app: 'even' },
};

const everyName = Object.keys(recorded);

const selected = (selector: Parameters<typeof parseLabelSelector>[0]) => {
  const parsed = parseLabelSelector(selector);
  return Object.entries(recorded)
    .filter(([, labels]) => parsed.matches(labels))
    .map(([name]) => name);
};

describe('parseLabelSelector', () => {
  it.each<[string, string[]]>([
    ['app=even', ['l0', 'l2', 'l99']],
    ['app==even', ['l0', 'l2', 'l99']],
    ['app!=even', ['l1', 'l3']],
    ['n!=1', ['l0', 'l2', 'l3', 'l99']],
    ['app in (even,x)', ['l0', 'l2', 'l99']],
    ['app notin (even)', ['l1', 'l3']],
    ['app', everyName],
    ['!app', []],
    ['!n', ['l99']],
    ['n>2', ['l3']],
    ['n<2', ['l0', 'l1']],
    ['app=even,n=0', ['l0']],
    ['app=', []],
    ['app in ()', []],
    ['', everyName],
    ['  ', everyName],
    [' app = even ', ['l0', 'l2', 'l99']],
    ['app,n notin (0,1)', ['l2', 'l3', 'l99']],
    ['x=,app', []],
    ['n in(0,3),app in ( even , odd )', ['l0', 'l3']],
  ])('selects what an API server selects: %j', (text, names) => {
    expect(selected(text)).toEqual(names);
  });

  it.each<[string, string]>([
    ['=x', "found '=', expected a label key such as app or example.com/app"],
    ['app=a=b', "found '=', expected ',' or the end"],
    ['app in even', "found 'even', expected '('"],
    ['app in (a', "found the end, expected ')'"],
    ['app in (a b)', "found 'b', expected ')'"],
    ['app in', "found the end, expected '('"],
    ['bad key!=x', "found 'key', expected in, notin, '=', '==', '!=', '<', '>' or the end"],
    ['a/b/c=d', "found 'a/b/c', expected a label key such as app or example.com/app"],
    ['/c=d', "found '/c', expected a label key such as app or example.com/app"],
    ['c/=d', "found 'c/', expected a label key such as app or example.com/app"],
    ['Example.com/c=d', "found 'Example.com/c', expected a label key such as app or example.com/app"],
    ['-c=d', "found '-c', expected a label key such as app or example.com/app"],
    ['app=!bad', "found '!', expected ',' or the end"],
    ['app=a_', "found 'a_', expected a label value of at most 63 letters, digits, -, _ and ."],
    ['n>abc', "found 'abc', expected an integer from 0 to 2^63 - 1"],
    ['n>-5', "found '-5', expected an integer from 0 to 2^63 - 1"],
    ['n<9223372036854775808', "found '9223372036854775808', expected an integer from 0 to 2^63 - 1"],
    ['n>', 'found the end, expected an integer from 0 to 2^63 - 1'],
    ['app,', 'found the end, expected a label key such as app or example.com/app'],
    [',app', "found ',', expected a label key such as app or example.com/app"],
    ['!app=x', "found '=', expected ',' or the end"],
    ['!', 'found the end, expected a label key such as app or example.com/app'],
    ['app IN (a)', "found 'IN', expected in, notin, '=', '==', '!=', '<', '>' or the end"],
  ])('refuses %j', (text, reason) => {
    expect(() => parseLabelSelector(text)).toThrow(new TypeError(`Unable to parse the label selector ${JSON.stringify(text)}: ${reason}`));
  });

  it('bounds the length of names, prefixes and values', () => {
    const long = (length: number) => 'a'.repeat(length);
    expect(() => parseLabelSelector(`${long(63)}=${long(63)}`)).not.toThrow();
    expect(() => parseLabelSelector(`${long(253)}/${long(63)}`)).not.toThrow();
    expect(() => parseLabelSelector(`${long(64)}=a`)).toThrow(/label key/);
    expect(() => parseLabelSelector(`a=${long(64)}`)).toThrow(/label value/);
    expect(() => parseLabelSelector(`${long(254)}/a`)).toThrow(/label key/);
  });

  it('takes in and notin for names where a name can stand', () => {
    expect(parseLabelSelector('in in (in,notin),notin=in,!in').requirements).toEqual([
      { key: 'in', operator: 'In', values: ['in', 'notin'] },
      { key: 'notin', operator: 'In', values: ['in'] },
      { key: 'in', operator: 'DoesNotExist', values: [] },
    ]);
  });

  it('reads empty values between commas, each value once', () => {
    expect(parseLabelSelector('a in (,x,,x)').requirements).toEqual([{ key: 'a', operator: 'In', values: ['', 'x'] }]);
  });

  it('compares numbers, not texts, and only numbers of 64 bits', () => {
    const matches = (n: string) => parseLabelSelector('n>9').matches({ n });
    expect(['10', '9', '9223372036854775807'].map(matches)).toEqual([true, false, true]);
    expect(['9223372036854775808', '1e3', '0x1F', ''].map(matches)).toEqual([false, false, false, false]);
  });

  it('does not take inherited properties for labels', () => {
    expect(parseLabelSelector('constructor').matches({})).toBe(false);
    expect(parseLabelSelector('!toString').matches({})).toBe(true);
  });

  it('selects objects without labels as those with none', () => {
    expect(['a', '!a', 'a!=b', ''].map((text) => parseLabelSelector(text).matches(undefined))).toEqual([false, true, true, true]);
  });
});

describe('parseLabelSelector of an object', () => {
  it('wants all labels and all expressions', () => {
    const selector = parseLabelSelector({
      matchLabels: { app: 'web' },
      matchExpressions: [
        { key: 'tier', operator: 'In', values: ['a', 'b'] },
        { key: 'track', operator: 'NotIn', values: ['canary'] },
        { key: 'owner', operator: 'Exists' },
        { key: 'legacy', operator: 'DoesNotExist', values: [] },
      ],
    });
    expect(selector.toString()).toBe('app=web,tier in (a,b),track!=canary,owner,!legacy');
    expect(selector.matches({ app: 'web', tier: 'a', owner: '' })).toBe(true);
    expect(selector.matches({ app: 'web', tier: 'a', owner: '', legacy: 'x' })).toBe(false);
  });

  it('selects everything when it is empty', () => {
    expect(selected({})).toEqual(everyName);
    expect(selected({ matchLabels: {}, matchExpressions: [] })).toEqual(everyName);
  });

  it.each<[object, string]>([
    [
      { matchLabels: { app: 'a,b' } },
      'Expected the value of the label requirement app to be a label value of at most 63 letters, digits, -, _ and ., got "a,b"',
    ],
    [
      { matchLabels: { 'a b': 'c' } },
      'Expected the key of a label requirement to be a label key such as app or example.com/app, got "a b"',
    ],
    [
      { matchLabels: { n: 5 } },
      'Expected the value of the label requirement n to be a label value of at most 63 letters, digits, -, _ and ., got 5',
    ],
    [
      { matchExpressions: [{ key: 'a', operator: 'in', values: ['b'] }] },
      'Expected the operator of the label requirement a to be In, NotIn, Exists or DoesNotExist, got "in"',
    ],
    [
      { matchExpressions: [{ key: 'a', operator: 'toString' }] },
      'Expected the operator of the label requirement a to be In, NotIn, Exists or DoesNotExist, got "toString"',
    ],
    [{ matchExpressions: [{ key: 'a', operator: 'In' }] }, 'Expected values for the label requirement a In, got []'],
    [{ matchExpressions: [{ key: 'a', operator: 'In', values: 'b' }] }, 'Expected values for the label requirement a In, got "b"'],
    [
      { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] },
      'Expected no values for the label requirement a Exists, got ["b"]',
    ],
    [
      { matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['b)'] }] },
      'Expected the value of the label requirement a to be a label value of at most 63 letters, digits, -, _ and ., got "b)"',
    ],
  ])('refuses %j', (selector, message) => {
    expect(() => parseLabelSelector(selector)).toThrow(new TypeError(message));
  });

  it.each([null, undefined, 5, true, ['app=web']])('refuses %j', (value) => {
    expect(() => parseLabelSelector(value as unknown as string)).toThrow(/^Expected a label selector to be a string or an object/);
  });
});

const nameArbitrary = fc.stringMatching(/^[A-Za-z0-9]([-A-Za-z0-9_.]{0,4}[A-Za-z0-9])?$/);
const keyArbitrary = fc.oneof(
  fc.constantFrom('a', 'b', 'in', 'notin'),
  nameArbitrary,
  fc.tuple(fc.constantFrom('example.com', 'x'), nameArbitrary).map((parts) => parts.join('/')),
);
const valueArbitrary = fc.oneof(fc.constantFrom('', 'x', 'y', '1', '5'), nameArbitrary);
const withValues = (operators: readonly LabelOperator[], value: fc.Arbitrary<string>, maxLength: number) =>
  fc.record({ key: keyArbitrary, operator: fc.constantFrom(...operators), values: fc.uniqueArray(value, { minLength: 1, maxLength }) });
const requirementArbitrary: fc.Arbitrary<LabelRequirement> = fc.oneof(
  withValues(['In', 'NotIn'], valueArbitrary, 3),
  withValues(['GreaterThan', 'LessThan'], fc.nat().map(String), 1),
  fc.record({ key: keyArbitrary, operator: fc.constantFrom<LabelOperator>('Exists', 'DoesNotExist'), values: fc.constant([]) }),
);
const labelsArbitrary = fc.dictionary(keyArbitrary, valueArbitrary, { maxKeys: 4, noNullPrototype: true });

/** What a requirement means, said once more and as plainly as possible. */
function holds({ key, operator, values }: LabelRequirement, labels: ReadonlyMap<string, string>): boolean {
  const number = /^\d+$/.test(labels.get(key) ?? '') ? Number(labels.get(key)) : NaN;
  return {
    In: labels.has(key) && values.includes(labels.get(key) ?? ''),
    NotIn: !(labels.has(key) && values.includes(labels.get(key) ?? '')),
    Exists: labels.has(key),
    DoesNotExist: !labels.has(key),
    GreaterThan: number > Number(values[0]),
    LessThan: number < Number(values[0]),
  }[operator];
}

describe('a label selector as text', () => {
  it('parses back to the same requirements', () => {
    fc.assert(
      fc.property(fc.array(requirementArbitrary, { maxLength: 4 }), (requirements) => {
        expect(parseLabelSelector(labelSelectorOf(requirements).toString()).requirements).toEqual(requirements);
      }),
    );
  });

  it('selects what its requirements say', () => {
    fc.assert(
      fc.property(fc.array(requirementArbitrary, { maxLength: 3 }), labelsArbitrary, (requirements, labels) => {
        const expected = requirements.every((requirement) => holds(requirement, new Map(Object.entries(labels))));
        expect(parseLabelSelector(labelSelectorOf(requirements).toString()).matches(labels)).toBe(expected);
      }),
    );
  });

  it('may have spaces anywhere between its parts', () => {
    fc.assert(
      fc.property(requirementArbitrary, fc.constantFrom(' ', '\t', ' \n '), (requirement, space) => {
        const text = labelSelectorOf([requirement]).toString();
        const spaced = text.replace(/[(),]|[!=<>]+/g, (symbol) => `${space}${symbol}${space}`);
        expect(parseLabelSelector(`${space}${spaced}${space}`).requirements).toEqual([requirement]);
      }),
    );
  });

  it('is understood or refused with a TypeError, whatever it is', () => {
    const read = (text: string): readonly LabelRequirement[] | 'refused' => {
      try {
        return parseLabelSelector(text).requirements;
      } catch (error) {
        if (error instanceof TypeError) return 'refused';
        throw error;
      }
    };
    const piece = fc.constantFrom('a', 'in', 'notin', '=', '==', '!', '!=', '<', '>', '(', ')', ',', ' ', '5', 'é', '/', '-');
    const text = fc.oneof(
      fc.string(),
      fc.array(piece).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(text, (any) => {
        const result = read(any);
        expect(result === 'refused' ? result : read(labelSelectorOf(result).toString())).toEqual(result);
      }),
      { numRuns: 500 },
    );
  });
});

describe('integerOf', () => {
  it('reads integers of 64 bits, with or without a sign', () => {
    expect(['0', '+7', '-7', '9223372036854775807', '-9223372036854775808'].map(integerOf)).toEqual([
      0n,
      7n,
      -7n,
      2n ** 63n - 1n,
      -(2n ** 63n),
    ]);
    expect(['', '1.5', ' 1', '1e3', '9223372036854775808', '9'.repeat(100)].map(integerOf)).toEqual(Array.from({ length: 6 }));
  });
});
