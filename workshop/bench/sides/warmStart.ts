import { stat } from 'node:fs/promises';
import { filter, firstValueFrom } from 'rxjs';
import { createClient, createInformer, resources } from 'rx-informer';
import { warmStart } from 'rx-informer/pipeline';
import { snapshotFile } from '@rx-informer/controller/manager';
import { BlockMeter, Meter } from '../meter.js';
import { podNames } from '../realisticPod.js';

/** The options of saving or restoring a cache. */
export interface WarmStartSide {
  readonly url: string;
  readonly path: string;
  readonly count: number;
  /** Whether this is the earlier run. */
  readonly saves?: boolean;
  /** Whether to measure the longest turn of the event loop, which costs time of its own. */
  readonly blocks?: boolean;
}

/** An informer with a warm start: the time until one object can be read, and until all are in its cache. */
export async function run({ url, path, count, saves = false, blocks = false }: WarmStartSide): Promise<object> {
  const parts = [warmStart(snapshotFile(path), { saveEveryMs: Infinity })];
  const informer = createInformer(createClient({ server: url }), resources.core.v1.pods, { parts, listStrategy: 'list' });
  const last = podNames(count).at(-1);
  const meter = new Meter();
  if (saves) {
    await informer.whenSynced();
    const block = new BlockMeter();
    meter.restart();
    await informer.stop();
    await informer.stopped;
    const { wallMs: saveMs, cpuMs: saveCpuMs } = meter.times();
    return { saveMs, saveCpuMs, bytes: (await stat(path)).size, ...block.stop() };
  }
  const block = blocks ? new BlockMeter() : undefined;
  meter.restart();
  informer.start();
  await firstValueFrom(informer.health$.pipe(filter(({ state }) => state === 'restored')), { defaultValue: undefined });
  const pod = informer.lister.get(`${last?.namespace ?? ''}/${last?.name ?? ''}`);
  const { wallMs: readableMs, cpuMs: readableCpuMs } = meter.times();
  if (pod?.metadata?.uid === undefined) throw new Error('Expected the last pod to be readable');
  await informer.whenSynced();
  const { wallMs: allMs, cpuMs } = meter.times();
  const longest = block?.stop();
  const size = informer.indexer.listKeys().length;
  if (size !== count) throw new Error(`Expected ${count} pods, got ${size}`);
  const memory = meter.memory();
  const save = new Meter();
  await informer.stop();
  await informer.stopped;
  const { cpuMs: saveCpuMs } = save.times();
  return { readableMs, readableCpuMs, allMs, cpuMs, ...longest, ...memory, saveCpuMs };
}
