const functions = 1_000;
const repetitions = 20_000;

/** The cost of calling each function of a list with one object: the lower bound for notifying as many subscribers. */
export function run(): Promise<object> {
  const counts = new Int32Array(functions);
  const list = Array.from({ length: functions }, (_, at) => (event: { readonly type: string }) => {
    if (event.type === 'updated') counts[at] = (counts[at] ?? 0) + 1;
  });
  const round = (): number => {
    const start = performance.now();
    for (let repetition = 0; repetition < repetitions; repetition += 1) {
      const event = { type: repetition % 7 === 0 ? 'added' : 'updated' };
      for (const called of list) called(event);
    }
    return performance.now() - start;
  };
  round();
  return Promise.resolve({ microsPerCall: (round() * 1000) / (functions * repetitions), counted: counts[7] ?? 0 });
}
