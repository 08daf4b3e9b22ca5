import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle } from '../tools/bundle.js';
import { atMost, type Benchmark, remark } from './benchmark.js';
import { compiled } from './compile.js';
import { megabytes, short } from './format.js';
import { interleaved } from './rounds.js';

/**
 * What `import 'rx-informer'` costs in a process that has rxjs already.
 */
export const startUp: Benchmark = {
  name: 'startUp',
  run: async () => {
    // The same files as in the package.
    const built = join(compiled, 'package');
    await bundle('esm', built);
    const load = (module: string): { side: string; options: object } => ({ side: 'load', options: { module } });
    const results = await interleaved(
      { 'rx-informer': load(pathToFileURL(join(built, 'index.js')).href), 'client-node': load('@kubernetes/client-node') },
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
