import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { atMost, type Benchmark, remark } from './benchmark.js';
import { megabytes, short } from './format.js';
import { interleaved } from './rounds.js';

/** The cost of `import 'rx-informer'` in a process that has already loaded rxjs. */
export const startUp: Benchmark = {
  name: 'startUp',
  run: async () => {
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: fileURLToPath(new URL('../..', import.meta.url)), stdio: 'inherit' });
    const load = (module: string): { side: string; options: object } => ({ side: 'load', options: { module } });
    const results = await interleaved(
      { 'rx-informer': load(new URL('../../dist/esm/index.js', import.meta.url).href), 'client-node': load('@kubernetes/client-node') },
      { rounds: 7, show: ['wallMs', 'cpuMs', 'rss', 'heap'] },
    );
    const ms = results.of('rx-informer', 'wallMs');
    const rss = results.of('rx-informer', 'rss');
    const [theirMs, theirRss] = [results.of('client-node', 'wallMs'), results.of('client-node', 'rss')];
    return [
      atMost(
        "import 'rx-informer', time",
        ms,
        50,
        '< 50 ms',
        `${short(ms)} ms, ${short(ms / theirMs)} x client-node's ${short(theirMs)} ms`,
      ),
      atMost(
        "import 'rx-informer', RSS",
        rss,
        15e6,
        '< 15 MB',
        `${megabytes(rss)}, ${short(rss / theirRss)} x client-node's ${megabytes(theirRss)}`,
      ),
      remark("import 'rx-informer', heap after gc", megabytes(results.of('rx-informer', 'heap'))),
    ];
  },
};
