/**
 * How often a property of the decoder is tried: so many times, or as the environment's `DECODER_RUNS` says.
 */
export function runs(usually: number): number {
  return Number(process.env['DECODER_RUNS'] ?? usually);
}
