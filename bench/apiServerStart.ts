// Measures starts of the embedded API server, for apiServer.ts, in a process that has done nothing else.
const begun = performance.now();
const { startApiServer } = await import('../src/testing/startApiServer.js');
const first = await startApiServer();
const firstMs = performance.now() - begun;
await first.close();
const times: number[] = [];
for (let run = 0; run < 20; run += 1) {
  const start = performance.now();
  const server = await startApiServer();
  times.push(performance.now() - start);
  await server.close();
}
process.send?.({ firstMs, laterMs: times.sort((a, b) => a - b)[10] });
process.disconnect();
