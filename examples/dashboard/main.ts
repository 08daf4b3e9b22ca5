import { startCluster } from './cluster.js';
import { startDashboard } from './startDashboard.js';

// node workshop/tools/run.mjs ../../examples/dashboard/main --port 8080 --pods 10000
const option = (name: string, value: number): number => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? value : Number(process.argv[at + 1]);
};

const cluster = await startCluster(option('pods', 10_000));
const dashboard = await startDashboard(cluster, option('port', 8_080));
console.log(`A dashboard of ${option('pods', 10_000)} pods: ${dashboard.url}`);
console.log(
  'ada reads the whole cluster, bob three namespaces. Open it twice, and take a namespace from bob at the foot of the page. Ctrl-C ends it.',
);
process.once('SIGINT', () => {
  void dashboard.close().then(cluster.close);
});
