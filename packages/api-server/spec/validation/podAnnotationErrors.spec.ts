import { describe, expect, it } from '@jest/globals';
import { cidrErrors, ipErrors, isWithin } from '../../src/validation/addressErrors.js';
import { podAnnotationErrors } from '../../src/validation/podAnnotationErrors.js';
import { resourceErrors } from '../../src/validation/resourceErrors.js';

const messages = (errors: Iterable<{ readonly field: string; readonly message: string }>): readonly string[] =>
  [...errors].map(({ field, message }) => `${field}: ${message}`);

describe('annotations of pods', () => {
  it.each([
    [
      'controller.kubernetes.io/pod-deletion-cost',
      '+1',
      'a[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "+1": must be a 32bit integer',
    ],
    ['controller.kubernetes.io/pod-deletion-cost', '-2147483648', undefined],
    [
      'seccomp.security.alpha.kubernetes.io/pod',
      'x',
      'a.seccomp.security.alpha.kubernetes.io/pod: Invalid value: "x": must be a valid seccomp profile',
    ],
    [
      'container.apparmor.security.beta.kubernetes.io/zz',
      'unconfined',
      'a[container.apparmor.security.beta.kubernetes.io/zz]: Invalid value: "zz": container not found',
    ],
    [
      'container.apparmor.security.beta.kubernetes.io/c',
      'x',
      'a[container.apparmor.security.beta.kubernetes.io/c]: Invalid value: "x": invalid AppArmor profile name: "x"',
    ],
  ])('%s: %s', (key, value, problem) => {
    const pod = { metadata: { annotations: { [key]: value } }, spec: { containers: [{ name: 'c' }] } };
    expect(messages(podAnnotationErrors(pod, 'a'))).toEqual(problem === undefined ? [] : [problem]);
  });
});

describe('addresses', () => {
  it.each([
    ['1.2.3.4', undefined],
    ['01.2.3.4', 'must not have leading 0s'],
    ['::ffff:1.2.3.4', 'must not be an IPv4-mapped IPv6 address'],
    ['fe80::1%eth0', 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
  ])('%s', (text, problem) => {
    expect(messages(ipErrors(text, 'a'))).toEqual(problem === undefined ? [] : [`a: Invalid value: "${text}": ${problem}`]);
  });

  it.each([
    ['10.0.0.0/8', undefined],
    ['2001:db8::/64', undefined],
    ['010.0.0.0/8', 'must not have leading 0s in IP or prefix length'],
    ['10.0.0.0/08', 'must not have leading 0s in IP or prefix length'],
    ['10.0.0.1/8', 'must not have bits set beyond the prefix length'],
    ['2001:db8::1/64', 'must not have bits set beyond the prefix length'],
    ['::ffff:1.2.3.4/120', 'must not have an IPv4-mapped IPv6 address'],
    ['10.0.0.0/33', 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'],
  ])('%s', (text, problem) => {
    expect(messages(cidrErrors(text, 'a'))).toEqual(problem === undefined ? [] : [`a: Invalid value: "${text}": ${problem}`]);
  });

  it('of a range are within a larger one of the same family', () => {
    expect([isWithin('10.1.0.0/16', '10.0.0.0/8'), isWithin('10.0.0.0/8', '10.0.0.0/8'), isWithin('::/64', '10.0.0.0/8')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('resources that are counted', () => {
  it.each([
    [{ limits: { 'x.io/a': '1500m' } }, ['r.limits[x.io/a]: Invalid value: "1500m": must be an integer']],
    [{ requests: { 'x.io/a': '1', 'x.io/b': '1' } }, ['r.limits: Required value: Limit must be set for non overcommitable resources']],
    [
      { limits: { 'hugepages-2Mi': '3Mi' } },
      [
        'r.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
        'r: Forbidden: HugePages require cpu or memory',
      ],
    ],
    [{ limits: { 'hugepages-2Mi': '4Mi', cpu: '1' } }, []],
  ])('%j', (resources, problems) => {
    expect(messages(resourceErrors(resources, 'r'))).toEqual(problems);
  });
});
