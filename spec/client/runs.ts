/** The number of runs of each property of the decoder: this number, or `DECODER_RUNS` of the environment. */
export function runs(usually: number): number {
  return Number(process.env['DECODER_RUNS'] ?? usually);
}
