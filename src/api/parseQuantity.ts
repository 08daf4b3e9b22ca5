import { describeValue } from './options.js';

const syntax = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:([numkMGTPE]|[KMGTPE]i)|[eE]([+-]?\d{1,3}))?$/;

const fractions: Readonly<Record<string, number>> = { n: 1e9, u: 1e6, m: 1e3 };
const multiples: Readonly<Record<string, number>> = { k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 };
const binary = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/**
 * The numeric value of a Kubernetes quantity: cores for CPU, bytes for memory.
 *
 * Suffixes are `n`, `u`, `m`, `k`, `M`, `G`, `T`, `P`, `E`, the binary `Ki` to `Ei`, and exponents (`1e3`). Beyond 2^53 the result is the nearest number.
 * To add up CPU without rounding, round each to thousandths: `Math.round(parseQuantity(cpu) * 1000)`.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { parseQuantity, reduceObjects } from '@rx-informer/views';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * const memoryOf = (pod: { spec?: { containers: readonly { resources?: { requests?: Record<string, string> } }[] } }) =>
 *   (pod.spec?.containers ?? []).reduce((sum, { resources }) => sum + parseQuantity(resources?.requests?.['memory'] ?? 0), 0);
 * const requested = reduceObjects(pods, {
 *   initial: 0,
 *   add: (sum, pod) => sum + memoryOf(pod),
 *   remove: (sum, pod) => sum - memoryOf(pod),
 *   groupBy: ({ spec }) => spec?.nodeName,
 * });
 * requested.index$.subscribe((bytesByNode) => console.log(Object.fromEntries(bytesByNode)));
 * ```
 *
 * @throws TypeError when it is not a quantity.
 *
 * @see apimachinery: `resource.ParseQuantity`
 */
export function parseQuantity(quantity: string | number): number {
  if (typeof quantity === 'number' && Number.isFinite(quantity)) return quantity;
  const [, digits, suffix = '', exponent] = (typeof quantity === 'string' ? syntax.exec(quantity) : undefined) ?? [];
  if (digits === undefined) throw new TypeError(`Expected a quantity such as 100m, 1.5 or 64Mi, got ${describeValue(quantity)}`);
  if (exponent !== undefined) return Number(`${digits}e${exponent}`);
  const number = Number(digits);
  const fraction = fractions[suffix];
  if (fraction !== undefined) return number / fraction;
  return number * (multiples[suffix] ?? 1024 ** (binary.indexOf(suffix) + 1));
}
