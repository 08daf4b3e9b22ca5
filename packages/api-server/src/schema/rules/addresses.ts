import { isIP } from 'node:net';
import type { Environment } from '@marcbachmann/cel-js';

/** An IP address in a rule. */
class Address {
  readonly family: 4 | 6;
  readonly value: bigint;

  constructor(family: 4 | 6, value: bigint) {
    this.family = family;
    this.value = value;
  }

  get bits(): number {
    return this.family === 4 ? 32 : 128;
  }

  /** Whether the first `bits` bits equal those of another address. */
  startsLike(other: Address, bits: number): boolean {
    const shift = BigInt(this.bits - bits);
    return this.family === other.family && this.value >> shift === other.value >> shift;
  }

  masked(bits: number): Address {
    const shift = BigInt(this.bits - bits);
    return new Address(this.family, (this.value >> shift) << shift);
  }

  toString(): string {
    if (this.family === 4) return [24n, 16n, 8n, 0n].map((shift) => String((this.value >> shift) & 255n)).join('.');
    const groups = Array.from({ length: 8 }, (_, at) => ((this.value >> BigInt(112 - 16 * at)) & 65_535n).toString(16));
    return new URL(`http://[${groups.join(':')}]/`).hostname.slice(1, -1);
  }
}

/** A CIDR range in a rule. */
class Range {
  readonly address: Address;
  readonly bits: number;

  constructor(address: Address, bits: number) {
    this.address = address;
    this.bits = bits;
  }

  contains(address: Address, bits: number = address.bits): boolean {
    return bits >= this.bits && this.address.startsLike(address, this.bits);
  }

  toString(): string {
    return `${this.address.toString()}/${String(this.bits)}`;
  }
}

function addressOf(text: string): Address | undefined {
  const family = isIP(text);
  if (family === 4) return new Address(4, BigInt(text.split('.').reduce((value, part) => value * 256 + Number(part), 0)));
  // Zones and IPv4-mapped addresses are not accepted.
  if (family !== 6 || /%|^::ffff:/i.test(text)) return undefined;
  const [head = '', tail = ''] = new URL(`http://[${text}]/`).hostname.slice(1, -1).split('::');
  const [before, after] = [head, tail].map((half) => half.split(':').filter((group) => group !== '')) as [string[], string[]];
  const groups = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
  return new Address(6, BigInt(`0x${groups.map((group) => group.padStart(4, '0')).join('')}`));
}

function rangeOf(text: string): Range | undefined {
  const [, start = '', length = ''] = /^([^/]+)\/(0|[1-9]\d*)$/.exec(text) ?? [];
  const address = addressOf(start);
  return address === undefined || Number(length) > address.bits ? undefined : new Range(address, Number(length));
}

function needed<T>(found: T | undefined, text: string, what: string): T {
  if (found === undefined) throw new Error(`Expected ${what}, got ${JSON.stringify(text)}`);
  return found;
}

/** The value of a text that must be one: of others Kubernetes only says that no overload fits. */
function fitting<T>(found: T | undefined): T {
  if (found === undefined) throw new Error('no such overload');
  return found;
}

const ip = (text: string): Address => needed(addressOf(text), text, 'an IP address');
const cidr = (text: string): Range => needed(rangeOf(text), text, 'a range of IP addresses');

function within(...ranges: readonly string[]): (address: Address) => boolean {
  const parsed = ranges.map(cidr);
  return (address) => parsed.some((range) => range.contains(address));
}

const isUnspecified = within('0.0.0.0/32', '::/128');
const isLoopback = within('127.0.0.0/8', '::1/128');
const isLinkLocalMulticast = within('224.0.0.0/24', 'ff02::/16');
const isLinkLocalUnicast = within('169.254.0.0/16', 'fe80::/10');
const isSpecial = within('0.0.0.0/32', '255.255.255.255/32', '224.0.0.0/4', '::/128', 'ff00::/8', '127.0.0.0/8', '::1/128');

/** The namespace `ip` in rules. */
class AddressNamespace {
  readonly namespace = 'ip';
}

/** Adds the functions for IP addresses and CIDR ranges. */
export function addAddresses(environment: Environment): void {
  environment.registerType('net.IP', Address).registerType('net.CIDR', Range).registerType('net.ip', AddressNamespace);
  environment.registerConstant('ip', 'net.ip', new AddressNamespace());
  environment.registerOperator('net.IP == net.IP', (a: Address, b: Address) => a.family === b.family && a.value === b.value);
  environment.registerOperator('net.CIDR == net.CIDR', (a: Range, b: Range) => a.toString() === b.toString());
  const functions: Readonly<Record<string, (...values: never[]) => unknown>> = {
    'isIP(string): bool': (text: string) => addressOf(text) !== undefined,
    'ip(string): net.IP': ip,
    'net.ip.isCanonical(string): bool': (_: unknown, text: string) => ip(text).toString() === text,
    'string(net.IP): string': String,
    'net.IP.family(): int': ({ family }: Address) => BigInt(family),
    'net.IP.isUnspecified(): bool': isUnspecified,
    'net.IP.isLoopback(): bool': isLoopback,
    'net.IP.isLinkLocalMulticast(): bool': isLinkLocalMulticast,
    'net.IP.isLinkLocalUnicast(): bool': isLinkLocalUnicast,
    'net.IP.isGlobalUnicast(): bool': (address: Address) => !isSpecial(address) && !isLinkLocalUnicast(address),
    'isCIDR(string): bool': (text: string) => rangeOf(text) !== undefined,
    'cidr(string): net.CIDR': cidr,
    'string(net.CIDR): string': String,
    'net.CIDR.containsIP(net.IP): bool': (range: Range, address: Address) => range.contains(address),
    'net.CIDR.containsIP(string): bool': (range: Range, text: string) => range.contains(fitting(addressOf(text))),
    'net.CIDR.containsCIDR(net.CIDR): bool': (range: Range, { address, bits }: Range) => range.contains(address, bits),
    'net.CIDR.containsCIDR(string): bool': (range: Range, text: string) => {
      const { address, bits } = fitting(rangeOf(text));
      return range.contains(address, bits);
    },
    'net.CIDR.ip(): net.IP': ({ address }: Range) => address,
    'net.CIDR.masked(): net.CIDR': ({ address, bits }: Range) => new Range(address.masked(bits), bits),
    'net.CIDR.prefixLength(): int': ({ bits }: Range) => BigInt(bits),
  };
  for (const [signature, handler] of Object.entries(functions))
    environment.registerFunction(signature, handler as (...values: unknown[]) => unknown);
}
