import { BlockList, isIP } from 'node:net';
import { invalidValue, type FieldError } from '../status/statusErrors.js';

type Findings = Generator<FieldError, void, undefined>;

/** An address without the leading zeros that older versions of Kubernetes ignored. */
function plain(text: string): string {
  return text.replace(/(^|\.)0+(?=\d)/g, '$1');
}

const isMapped = (text: string): boolean => /^::ffff:\d+\./i.test(text);

/** Whether a text is an address, perhaps with leading zeros. */
export function isAddress(text: string): boolean {
  return isIP(plain(text)) !== 0 && !text.includes('%');
}

/** Validation errors of an IP address. */
export function* ipErrors(text: string, path: string): Findings {
  const shown = JSON.stringify(text);
  if (!isAddress(text)) yield invalidValue(path, shown, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)');
  else if (isIP(text) === 0) yield invalidValue(path, shown, 'must not have leading 0s');
  else if (isMapped(text)) yield invalidValue(path, shown, 'must not be an IPv4-mapped IPv6 address');
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}

function blockOf(address: string, bits: number): BlockList {
  const block = new BlockList();
  block.addSubnet(address, bits, familyOf(address));
  return block;
}

/** Whether a text is a range of addresses. */
export function isRange(text: string): boolean {
  const [address = '', bits = '', more] = text.split('/');
  const longest = isIP(plain(address)) === 4 ? 32 : 128;
  return more === undefined && isAddress(address) && /^\d{1,3}$/.test(bits) && Number(bits) <= longest;
}

/** The number that an IPv4 address stands for, or the groups of an IPv6 address in binary digits. */
function bitsOf(address: string): string {
  if (isIP(address) === 4)
    return address
      .split('.')
      .map((part) => Number(part).toString(2).padStart(8, '0'))
      .join('');
  const [head = '', tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const [before, after] = [head, tail ?? ''].map((part) => part.split(':').filter((group) => group !== ''));
  const gap = Array.from({ length: 8 - (before?.length ?? 0) - (after?.length ?? 0) }, () => '0');
  const groups = tail === undefined ? (before ?? []) : [...(before ?? []), ...gap, ...(after ?? [])];
  return groups.map((group) => parseInt(group, 16).toString(2).padStart(16, '0')).join('');
}

/** Validation errors of a range of addresses. */
export function* cidrErrors(text: string, path: string): Findings {
  const shown = JSON.stringify(text);
  const [address = '', bits = ''] = text.split('/');
  if (!isRange(text)) yield invalidValue(path, shown, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)');
  else if (isIP(address) === 0 || /^0\d/.test(bits)) yield invalidValue(path, shown, 'must not have leading 0s in IP or prefix length');
  else if (isMapped(address)) yield invalidValue(path, shown, 'must not have an IPv4-mapped IPv6 address');
  else if (bitsOf(address).slice(Number(bits)).includes('1'))
    yield invalidValue(path, shown, 'must not have bits set beyond the prefix length');
}

/** Whether a range is a proper subset of another one. */
export function isWithin(range: string, whole: string): boolean {
  const [[inner = '', innerBits], [outer = '', outerBits]] = [range, whole].map((one) => one.split('/')) as [string[], string[]];
  const [low, high] = [plain(inner), plain(outer)];
  if (familyOf(low) !== familyOf(high) || Number(innerBits) <= Number(outerBits)) return false;
  return blockOf(high, Number(outerBits)).check(low, familyOf(low));
}
