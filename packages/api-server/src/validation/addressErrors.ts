import { isIP } from 'node:net';
import { invalidValue, type FieldError } from '../status/statusErrors.js';

/** Validation errors of an IP address. */
export function ipErrors(text: string, path: string): readonly FieldError[] {
  if (isIP(text) !== 0 && !/%|^::ffff:\d+\./i.test(text)) return [];
  return [invalidValue(path, JSON.stringify(text), 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')];
}

/** Validation errors of a range of addresses. */
export function cidrErrors(text: string, path: string): readonly FieldError[] {
  const [address = '', bits = '', more] = text.split('/');
  const isRange = isIP(address) !== 0 && /^\d+$/.test(bits) && Number(bits) <= (isIP(address) === 4 ? 32 : 128) && more === undefined;
  return isRange ? [] : [invalidValue(path, JSON.stringify(text), 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')];
}
