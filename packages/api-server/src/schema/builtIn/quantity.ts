/** The error message for an invalid quantity. */
export const quantityProblem: string = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

const syntax = /^([+-]?)(\d+\.?\d*|\.\d+)(Ki|Mi|Gi|Ti|Pi|Ei|n|u|m|k|M|G|T|P|E|[eE][+-]?\d{1,3})?$/;
const decimals = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const binaries = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** An amount in billionths, and its format. */
export interface Quantity {
  readonly nano: bigint;
  readonly format: 'decimal' | 'binary' | 'exponent';
}

const longest = 64;

function scaled(digits: string, exponent: number): bigint {
  const [whole = '', fraction = ''] = digits.split('.');
  const shift = exponent + 9 - fraction.length;
  const value = BigInt(`${whole}${fraction}` || '0');
  if (shift >= 0) return value * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  // Fractions of a billionth are rounded up.
  return (value + divisor - 1n) / divisor;
}

const parsed = new Map<string, Quantity | undefined>();
const maxParsed = 1_000;

/** Parses a quantity such as `100m`, `1.5Gi` or `1e3`; undefined when it is invalid. Cached, since few of them are in use. */
export function parseQuantity(text: string): Quantity | undefined {
  if (text.length > longest) return undefined;
  let quantity = parsed.get(text);
  if (quantity === undefined && !parsed.has(text)) {
    quantity = quantityOf(text);
    if (parsed.size >= maxParsed) parsed.clear();
    parsed.set(text, quantity);
  }
  return quantity;
}

function quantityOf(text: string): Quantity | undefined {
  const [, sign, digits = '', suffix = ''] = syntax.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const binary = binaries.indexOf(suffix);
  const exponent = /^[eE][+-]?\d/.test(suffix) ? Number(suffix.slice(1)) : undefined;
  const power = exponent ?? (binary > 0 ? 0 : (decimals.indexOf(suffix) - 3) * 3);
  const nano = scaled(digits, power) * (binary > 0 ? 1024n ** BigInt(binary) : 1n);
  return { nano: sign === '-' ? -nano : nano, format: binary > 0 ? 'binary' : exponent === undefined ? 'decimal' : 'exponent' };
}

function withSuffix(nano: bigint): string {
  let at = 0;
  let rest = nano;
  while (at < decimals.length - 1 && rest % 1000n === 0n) {
    rest /= 1000n;
    at += 1;
  }
  return `${String(rest)}${decimals[at] ?? ''}`;
}

const formatted = new WeakMap<Quantity, string>();

/** A quantity in Kubernetes' canonical form: the largest suffix that leaves no fraction. */
export function formatQuantity(quantity: Quantity): string {
  let text = formatted.get(quantity);
  if (text === undefined) {
    text = textOf(quantity);
    formatted.set(quantity, text);
  }
  return text;
}

function textOf({ nano, format }: Quantity): string {
  if (nano === 0n) return '0';
  const billion = 1_000_000_000n;
  const size = nano < 0n ? -nano : nano;
  if (format === 'binary' && size >= 1024n * billion && nano % billion === 0n) {
    let [value, at] = [nano / billion, 0];
    while (at < binaries.length - 1 && value % 1024n === 0n) {
      value /= 1024n;
      at += 1;
    }
    return `${String(value)}${binaries[at] ?? ''}`;
  }
  const text = withSuffix(nano);
  if (format !== 'exponent') return text;
  const [, digits = '', suffix = ''] = /^(-?\d+)(\D*)$/.exec(text) ?? [];
  return suffix === '' ? digits : `${digits}e${String((decimals.indexOf(suffix) - 3) * 3)}`;
}
