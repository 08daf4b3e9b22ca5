// An informer in a process of its own, for compression.ts: node informer.ts URL VERSION. Answers with its processor time for the list and for the watch.
import { createClient, createInformer, type ResourceChange, resources, type V1Pod } from 'rx-informer';

const [url = '', lastVersion = ''] = process.argv.slice(2);
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const client = createClient({ server: url, insecureSkipTlsVerify: true });
const informer = createInformer(client, resources.core.v1.pods, { listStrategy: 'list', pageSize: 500 });
const begun = { at: performance.now(), cpu: cpuMs() };
let synced = begun;
function take({ synced: isSynced, resourceVersion }: ResourceChange<V1Pod>): void {
  if (isSynced && synced === begun) synced = { at: performance.now(), cpu: cpuMs() };
  if (Number(resourceVersion) < Number(lastVersion)) return;
  const list = { wallMs: synced.at - begun.at, cpuMs: synced.cpu - begun.cpu };
  const watch = { wallMs: performance.now() - synced.at, cpuMs: cpuMs() - synced.cpu };
  process.send?.({ list, watch }, () => process.exit());
}
informer.change$.subscribe({ next: take, error: (error: unknown) => console.error(error) });
