import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atMost, type Benchmark, remark } from './benchmark.js';
import { megabytes, short } from './format.js';
import { interleaved } from './rounds.js';
import { runSide } from './runSide.js';

const pods = 50_000;

/** The time from `start()` until a program can read its cache of 50,000 pods, from a snapshot and from the server. */
export const warmStart: Benchmark = {
  name: 'warmStart',
  run: async (server) => {
    await server.prepare('paged', pods);
    const folder = await mkdtemp(join(tmpdir(), 'rx-informer-bench-'));
    try {
      const options = { count: pods, url: server.url('paged', pods), path: join(folder, 'pods') };
      const saving = await runSide('warmStart', { ...options, saves: true });
      const results = await interleaved(
        {
          warm: { side: 'warmStart', options: { ...options, blocks: true } },
          restored: { side: 'warmStart', options },
          cold: { side: 'informerSync', options: { count: pods, url: options.url } },
          parsed: { side: 'parsePages', options: { url: options.url } },
        },
        { rounds: 3, show: ['readableMs', 'readableCpuMs', 'allMs', 'wallMs', 'cpuMs', 'saveCpuMs', 'longestBlockCpuMs'] },
      );
      const of = (figure: string): number => results.of('warm', figure);
      const cold = results.of('cold', 'wallMs');
      return [
        atMost(
          `${pods} pods of an earlier run, the first one is read after`,
          of('readableMs'),
          500,
          '<= 500 ms',
          `${short(of('readableMs'))} ms (cpu ${short(of('readableCpuMs'))} ms); a first list takes ${short(cold)} ms`,
        ),
        remark(
          'all of them are in the cache after',
          `${short(of('allMs'))} ms, longest event-loop block ${short(of('longestBlockCpuMs'))} ms cpu`,
        ),
        atMost(
          'restoring them, processor time',
          results.ratio('restored', 'parsed', 'cpuMs'),
          0.25,
          '<= 0.25 x fetch + JSON.parse',
          `${short(results.ratio('restored', 'parsed', 'cpuMs'))} x: ${short(results.of('restored', 'cpuMs'))} ms, ${short(results.of('parsed', 'cpuMs'))} ms`,
        ),
        remark(
          'the snapshot',
          `${megabytes(saving['bytes'] ?? 0)}, saved in ${short(saving['saveMs'] ?? 0)} ms (cpu ${short(saving['saveCpuMs'] ?? 0)} ms; again, when it was restored, ${short(results.of('restored', 'saveCpuMs'))} ms), longest event-loop block ${short(saving['longestBlockCpuMs'] ?? 0)} ms cpu`,
        ),
      ];
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};
