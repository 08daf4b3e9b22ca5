// Measures starts of the embedded API server, for apiServer.ts, in a new process.
const begun = performance.now();
const { startApiServer } = await import('@rx-informer/api-server');
const first = await startApiServer();
const firstMs = performance.now() - begun;
const wrote = performance.now();
const configMap = { metadata: { name: 'first' }, data: { a: '1' } };
await fetch(`${first.url}/api/v1/namespaces/default/configmaps`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(configMap),
});
const writeMs = performance.now() - wrote;
await first.close();
const times: number[] = [];
for (let run = 0; run < 20; run += 1) {
  const start = performance.now();
  const server = await startApiServer();
  times.push(performance.now() - start);
  await server.close();
}
process.send?.({ firstMs, writeMs, laterMs: times.sort((a, b) => a - b)[10] });
process.disconnect();
