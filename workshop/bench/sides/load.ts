import 'rxjs';

function memory(): { readonly rss: number; readonly heap: number } {
  globalThis.gc?.();
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  return { rss, heap: heapUsed };
}

/** Loads a module in a process that has already loaded rxjs. */
export async function run({ module }: { readonly module: string }): Promise<object> {
  const before = memory();
  const cpu = process.cpuUsage();
  const start = performance.now();
  await import(module);
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  const after = memory();
  return { wallMs, cpuMs: (user + system) / 1000, rss: after.rss - before.rss, heap: after.heap - before.heap };
}
