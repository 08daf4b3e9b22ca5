import { isIP } from 'node:net';

const hostLabel = String.raw`[0-9\p{S}\p{L}](?:[-0-9\p{S}\p{L}]{0,61}[0-9\p{S}\p{L}])?`;
const hostname = new RegExp(String.raw`^(?:[0-9\p{S}\p{L}]-?[0-9\p{S}\p{L}]{0,62}|(?:${hostLabel}\.)+\p{L}{2,63})$`, 'u');

function isHostname(text: string): boolean {
  return hostname.test(text) && Buffer.byteLength(text) <= 255 && text.split('.').every((label) => Buffer.byteLength(label) <= 63);
}

/** The family of an IP address; leading zeros in an IPv4 address are tolerated. */
function familyOf(text: string): number {
  if (text.includes('%')) return 0;
  return isIP(/^[\d.]+$/.test(text) ? text.replaceAll(/\b0+(?=\d)/g, '') : text);
}

function isRange(text: string): boolean {
  const [, address = '', bits = ''] = /^([^/]+)\/(\d+)$/.exec(text) ?? [];
  const family = familyOf(address);
  return family !== 0 && Number(bits) <= (family === 4 ? 32 : 128);
}

/** Whether Go accepts the text as a request URI: an absolute URI, or an absolute path. */
export function isRequestUri(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- those are what is looked for
  if (text === '' || /[\u0000-\u001f\u007f]/.test(text)) return false;
  const [, scheme, rest = ''] = /^(?:([a-z][a-z0-9+.-]*):)?(.*)$/is.exec(text) ?? [];
  if (scheme === undefined && !/^(?:\/|\*$)/.test(rest)) return false;
  const [hierarchy = ''] = rest.split('?');
  if (scheme === undefined || !hierarchy.startsWith('//')) return !/%(?![0-9a-f]{2})/i.test(hierarchy) || !hierarchy.startsWith('/');
  const [, authority = '', path = ''] = /^\/\/([^/]*)(.*)$/s.exec(hierarchy) ?? [];
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return /^(?:\[[^\]]*\]|(?:[^[\]\s"<>\\^`{|}:%]|%[89a-f][0-9a-f])*)(?::\d*)?$/i.test(host) && !/%(?![0-9a-f]{2})/i.test(path);
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.toLowerCase().split('t');
  return isDate(date) && /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:.\d+)?(?:z|[+-]\d\d:\d\d)$/.test(time);
}

/** A duration of Go, or any text that contains a number with a unit. */
const duration =
  /^[-+]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$|\d\s*(?:(?:ns|us|µs|ms|s|m|h|hr|d|w|wk)(?![a-zµ])|(?:nano|micro|milli|sec|min|hour|day|week)[a-zµ]*)/i;

const uuid = (third: string, fourth: string): RegExp => new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${third}-?${fourth}-?[0-9a-f]{12}$`, 'i');
const dnsLabel = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

/** The formats of numbers. */
export const numberFormats: Readonly<Record<string, readonly string[]>> = { integer: ['int32', 'int64'], number: ['float', 'double'] };

/** The string formats that are validated for custom resources; others are ignored. Dashes in the names do not matter. */
const formats: Readonly<Record<string, RegExp | ((text: string) => boolean)>> = {
  byte: /^(?=.)([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
  cidr: isRange,
  date: isDate,
  datetime: isDateTime,
  duration,
  email: /^[^\s@<>]+@[^\s@<>]+$|^[^<>]*<[^\s@<>]+@[^\s@<>]+>$/,
  hostname: isHostname,
  ipv4: (text) => familyOf(text) !== 0 && text.includes('.'),
  ipv6: (text) => familyOf(text) === 6,
  k8slongname: new RegExp(`^(?=.{1,253}$)${dnsLabel}(\\.${dnsLabel})*$`),
  k8sshortname: new RegExp(`^(?=.{1,63}$)${dnsLabel}$`),
  // Formats that are known, and whose texts are not looked at.
  ...Object.fromEntries(
    'bsonobjectid creditcard hexcolor isbn isbn10 isbn13 mac password rgbcolor ssn'.split(' ').map((name) => [name, () => true]),
  ),
  uri: isRequestUri,
  uuid: uuid('[0-9a-f]{4}', '[0-9a-f]{4}'),
  uuid3: uuid('3[0-9a-f]{3}', '[0-9a-f]{4}'),
  uuid4: uuid('4[0-9a-f]{3}', '[89ab][0-9a-f]{3}'),
  uuid5: uuid('5[0-9a-f]{3}', '[89ab][0-9a-f]{3}'),
};

/** Whether a format of a type is known; one without a type is of strings. */
export function isFormat(format: string, type: string): boolean {
  return type === '' || type === 'string'
    ? Object.hasOwn(formats, format.replaceAll('-', ''))
    : numberFormats[type]?.includes(format) === true;
}

/** Whether a text has a format; undefined for formats that are not validated. */
export function hasFormat(text: string, format: string): boolean | undefined {
  const name = format.replaceAll('-', '');
  if (!Object.hasOwn(formats, name)) return undefined;
  const rule = formats[name];
  return rule instanceof RegExp ? rule.test(text) : rule?.(text);
}
