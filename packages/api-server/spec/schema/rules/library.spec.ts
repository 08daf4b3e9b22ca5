import { beforeAll, describe, expect, it } from '@jest/globals';
import { compiledRule, loadRules } from '../../../src/schema/rules/ruleEngine.js';

// From the documentation of CEL in Kubernetes, and conclusions from it.
const examples: readonly (readonly [rule: string, holds: boolean])[] = [
  ["url('https://example.com:80/').getHost() == 'example.com:80'", true],
  ["url('https://example.com/').getHost() == 'example.com'", true],
  ["url('https://[::1]:80/').getHost() == '[::1]:80'", true],
  ["url('https://[::1]:80/').getHostname() == '::1'", true],
  ["url('https://example.com:80/').getPort() == '80'", true],
  ["url('https://example.com/').getPort() == ''", true],
  ["url('https://example.com/path').getScheme() == 'https'", true],
  ["url('/path').getScheme() == '' && url('/path').getHost() == ''", true],
  ["url('https://example.com/path with spaces/').getEscapedPath() == '/path%20with%20spaces/'", true],
  ["url('https://example.com/path?k1=a&k2=b&k2=c').getQuery()['k2'] == ['b', 'c']", true],
  ["url('https://example.com/path?k1=a').getQuery().size() == 1", true],
  ["isIP('127.0.0.1') && isIP('::1') && !isIP('127.0.0.256') && !isIP('010.0.0.1') && !isIP('::ffff:1.2.3.4')", true],
  ["ip('127.0.0.1').family() == 4 && ip('::1').family() == 6", true],
  ["ip('127.0.0.1').isLoopback() && ip('::1').isLoopback() && !ip('192.168.0.1').isLoopback()", true],
  ["ip('0.0.0.0').isUnspecified() && ip('::').isUnspecified()", true],
  ["ip('224.0.0.1').isLinkLocalMulticast() && !ip('224.0.1.1').isLinkLocalMulticast()", true],
  ["ip('169.254.169.254').isLinkLocalUnicast() && ip('fe80::1').isLinkLocalUnicast()", true],
  ["ip('192.168.0.1').isGlobalUnicast() && !ip('255.255.255.255').isGlobalUnicast()", true],
  ["ip.isCanonical('2001:db8::abcd') && !ip.isCanonical('2001:DB8::ABCD')", true],
  ["string(ip('2001:DB8:0:0::ABCD')) == '2001:db8::abcd'", true],
  ["ip('127.0.0.1') == ip('127.0.0.1') && ip('127.0.0.1') != ip('10.0.0.1')", true],
  ["isCIDR('192.168.0.0/24') && isCIDR('::/0') && !isCIDR('192.168.0.0/33') && !isCIDR('192.168.0.0')", true],
  ["cidr('192.168.0.0/24').containsIP('192.168.0.1') && !cidr('192.168.0.0/24').containsIP('192.168.1.1')", true],
  ["cidr('192.168.0.0/24').containsIP(ip('192.168.0.1'))", true],
  ["cidr('192.168.0.0/16').containsCIDR('192.168.10.0/24') && !cidr('192.168.1.0/24').containsCIDR('192.168.2.0/24')", true],
  ["cidr('192.168.1.0/24').containsCIDR(cidr('192.168.0.0/16'))", false],
  ["cidr('192.168.0.1/24').masked() == cidr('192.168.0.0/24') && string(cidr('192.168.0.1/24').ip()) == '192.168.0.1'", true],
  ["cidr('2001:db8::/32').prefixLength() == 32", true],
  ['sets.contains([1, 2, 3], [2, 3]) && !sets.contains([1], [1, 2])', true],
  ['sets.intersects([1], [1, 2]) && !sets.intersects([1], [2])', true],
  ['sets.equivalent([1, 2], [2, 1, 1]) && sets.contains([], [])', true],
];

const asked: readonly string[] = [
  `strings.quote('abc') == '"abc"'`,
  "'%s is %d'.format(['abc', 3]) == 'abc is 3'",
  "'%.2f'.format([3.14159]) == '3.14'",
  "'%x %X %o %b'.format([255, 255, 8, 5]) == 'ff FF 10 101'",
  "'%s %s %s'.format([true, null, 1.5]) == 'true null 1.5'",
  "'%s'.format([duration('1h')]) == '3600s'",
  "'%s'.format([timestamp('2023-01-01T00:00:00Z')]) == '2023-01-01T00:00:00Z'",
  "'%%'.format([]) == '%'",
  '[1, 2, 3].slice(1, 3) == [2, 3]',
  "[3, 1, 2].sort() == [1, 2, 3] && ['b', 'a'].sort() == ['a', 'b']",
  '[1, 1, 2].distinct() == [1, 2]',
  'lists.range(3) == [0, 1, 2]',
  '[1, 2, 3].reverse() == [3, 2, 1]',
  '[1, 2].first().value() == 1 && [1, 2].last().value() == 2',
  "quantity('1').add(2).compareTo(quantity('3')) == 0 && quantity('3').sub(1).compareTo(quantity('2')) == 0",
  "quantity('100m') == quantity('0.1')",
  "isSemver('1.2.3') && isSemver('v1.2', true) && semver('v1.2', true).minor() == 2",
  "semver('1.2.3').major() == 1 && semver('1.2.3').minor() == 2 && semver('1.2.3').patch() == 3",
  "semver('1.2.3').isLessThan(semver('1.3.0')) && semver('1.2.3').isGreaterThan(semver('1.2.0'))",
  "semver('1.2.3').compareTo(semver('1.2.3')) == 0 && semver('1.2.3-alpha').isLessThan(semver('1.2.3'))",
  "format.dns1123Label().validate('ABC').hasValue()",
  "format.named('dns1123Label').hasValue() && !format.named('nope').hasValue()",
  "format.uuid().validate('not').hasValue() && format.datetime().validate('x').hasValue()",
  "format.labelValue().validate('a b').hasValue() && format.dns1035Label().validate('1a').hasValue()",
  "!optional.ofNonZeroValue('').hasValue()",
  "[[1], [2, 3]].flatten() == [1, 2, 3] && [[[1]]].flatten(2) == [1] && sign(quantity('-2')) == -1",
  "[{'n': 2}, {'n': 1}].sortBy(x, x.n).map(x, x.n) == [1, 2]",
  "['a', 'b'].all(i, x, i < 2 && x != '') && {'a': 'b'}.exists(k, v, k != v) && ['a'].existsOne(i, x, i == 0)",
  "['a', 'b'].transformList(i, x, i > 0, x + 'c') == ['bc']",
  "{'a': 1, 'b': 2}.transformMap(k, v, k != 'a', v + 1) == {'b': 3} && ['a'].transformMapEntry(i, x, {x: i}) == {'a': 0}",
  "optional.of('a').optFlatMap(x, optional.of(x + 'b')).orValue('') == 'ab' && !optional.none().optMap(x, x).hasValue()",
  "['a', ?optional.none(), ?optional.of('b')] == ['a', 'b'] && {'a': 1, ?'b': optional.none()} == {'a': 1}",
  "['a', 'b'].exists(x, ['a'][x == 'a' ? 5 : 0] == 'a') && !has({'a': [{'b': 1}]}.a[0].c)",
  "int(timestamp('1970-01-01T00:01:00Z')) == 60 && string(duration('90s')) == '90s' && 'a'.indexOf('b', 3) == -1",
  'optional.unwrap([optional.of(1), optional.none()]) == [1] && [optional.of(1), optional.none()].unwrapOpt() == [1]',
];

describe('addLibrary', () => {
  beforeAll(() => loadRules());

  it.each(examples)('evaluates %s', (text, holds) => {
    expect(compiledRule(text)?.({})).toBe(holds);
  });

  it.each(asked)('finds true %s', (text) => {
    expect(compiledRule(text)?.({})).toBe(true);
    expect(compiledRule(`!(${text})`)?.({})).toBe(false);
  });

  it.each(["'%d'.format([])", "'%y'.format([1])", "semver('1.2').major() == 1", '[1].slice(0, 2) == [1]'])('fails at %s', (text) => {
    expect(compiledRule(text)).toBeDefined();
    expect(() => compiledRule(text)?.({})).toThrow();
  });

  it.each<[string, string]>([
    ["[][0] == 1 || {'a': 1}['b'] == 1", 'index out of bounds: 0'],
    ["{'a': 1}.b == 1 && [][0] == 1", 'no such key: b'],
    ["['1', 'x'].map(s, int(s)).size() == 2", "type conversion error from 'string' to 'int'"],
    ["'a'.substring(2) == ''", 'index out of range: 2'],
    ["'abc'.substring(2, 1) == ''", 'invalid substring range. start: 2, end: 1'],
    ["semver('v1.2.3').major() == 1", 'Expected a semantic version such as 1.2.3, got "v1.2.3"'],
    ["ip('::ffff:1.2.3.4').family() == 6", 'Expected an IP address, got "::ffff:1.2.3.4"'],
    ["ip('010.0.0.1').family() == 4", 'Expected an IP address, got "010.0.0.1"'],
    ["cidr('x/8').prefixLength() == 8", 'Expected a range of IP addresses, got "x/8"'],
    ['[].max() == 1', 'max called on empty list'],
    ["['a', 1].all(x, x + 1 > 1)", 'no such overload'],
  ])('says why %s fails', (text, problem) => {
    expect(() => compiledRule(text)?.({})).toThrow(problem);
  });

  it.each(["ip('127.0.0.256') == ip('::1')", "cidr('10.0.0.0/33').prefixLength() == 33", "url('a b').getHost() == ''"])(
    'fails at %s',
    (text) => {
      expect(() => compiledRule(text)?.({})).toThrow(/parse error during conversion from string|Expected (an IP address|a range)/);
    },
  );

  it.each(["self.matches ('a(?=b)')", "matches (self, 'a(?=b)')", "[self].all(each, each\n.matches // blank\n('a(?=b)'))"])(
    'leaves no pattern of %j to the expressions of JavaScript, which look ahead and have no bound in time',
    (text) => {
      expect(() => compiledRule(text)?.({ self: 'ab' })).toThrow();
    },
  );
});
