/**
 * A list of 2 GB in one answer, as sent by a server that ignores `limit` for resourceVersion=0: measures the client, `JSON.parse` and an
 * informer that keeps few fields of each object. The server generates the list while sending it.
 *
 * `npm run bench -- hugeList [megabytes]`
 */
import { freemem } from 'node:os';
import { atMost, type Row, remark } from './benchmark.js';
import { compile } from './compile.js';
import { kilobytes, megabytes, seconds, short } from './format.js';
import { printTable } from './printTable.js';
import { type Figures, runSide } from './runSide.js';
import type { HugeListJson } from './sides/hugeListJson.js';
import { type PodServer, startPodServer } from './startPodServer.js';

const defaultMegabytes = 2048;
const maxMegabytes = 40_000;
/** The limit of memory in bytes, for a list of any length. */
const bound = 150e6;
/** The limit of the peak memory in the last quarter of the list, as a multiple of the peak in the first quarter. */
const most = 1.25;
/** The limit of retained bytes, as for every first list. */
const retainedShare = 2.5;
/** `JSON.parse` is stopped at this amount of memory. */
const maxBytesOfJson = 8e9;

function megabytesOf(argument = String(defaultMegabytes)): number {
  const value = Number(argument);
  if (!(value >= 1 && value <= maxMegabytes)) throw new TypeError(`Expected 1 to ${maxMegabytes} megabytes, got ${argument}`);
  return value;
}

function quarters(figures: Figures): string {
  return [1, 2, 3, 4].map((quarter) => short((figures[`quarter${quarter}`] ?? NaN) / 1e6)).join(', ');
}

function took(what: string, { wallMs = NaN }: Figures, bytes: number): Row {
  return remark(`${what}, time`, `${seconds(wallMs)}, ${short(bytes / 1e3 / wallMs)} MB/s`);
}

function peakRow(what: string, figures: Figures, most: number, target: string): Row {
  const { peak = NaN } = figures;
  const measured = `${megabytes(peak)}; by quarters of the list: ${quarters(figures)}`;
  return atMost(`${what}, peak RSS above start`, peak, most, target, measured);
}

/** The data that objects are compared with is bounded, and takes memory of its own. */
function growthRow(what: string, figures: Figures): Row {
  const { peak = NaN, quarter1 = NaN, quarter4 = NaN } = figures;
  const growth = quarter4 / quarter1;
  const measured = `${short(growth)} x; peak ${megabytes(peak)}, by quarters of the list: ${quarters(figures)}`;
  return atMost(`${what}, RSS above start, last quarter to first`, growth, most, `<= ${most} x`, measured);
}

async function parseAll(url: string): Promise<Row> {
  const what = 'fetch and JSON.parse';
  // The check runs only between two turns of the event loop, so more memory may be used meanwhile.
  if (freemem() < 1.5 * maxBytesOfJson) return remark(what, `not tried: only ${short(freemem() / 1e9)} GB free`);
  const { failure, peak, items, wallMs } = await runSide<HugeListJson>('hugeListJson', { url, maxBytes: maxBytesOfJson });
  const outcome = failure === '' ? `${items} pods` : `fails: ${failure}`;
  return remark(what, `${outcome}; after ${seconds(wallMs)}, peak RSS above start ${short(peak / 1e9)} GB`);
}

async function measure(server: PodServer, mebibytes: number): Promise<readonly Row[]> {
  const few = 7_000;
  const { bytes: fewBytes = NaN } = await runSide('drain', { url: server.url('generated', few) });
  const count = Math.round((mebibytes * 2 ** 20 * few) / fewBytes);
  const url = server.url('generated', count);
  const { bytes = NaN, megabytesPerSecond = NaN } = await runSide('drain', { url });
  const rows: Row[] = [remark('the list, and the server alone', `${count} pods, ${megabytes(bytes)}; ${short(megabytesPerSecond)} MB/s`)];
  const run = async (side: string, options: object = {}): Promise<Figures> => {
    console.log(` ${side} ${JSON.stringify(options)}`);
    return runSide(side, { url, count, ...options });
  };
  const plain = await run('hugeListChunks');
  rows.push(peakRow('client.listChunks', plain, bound, `<= ${megabytes(bound)}`), took('client.listChunks', plain, bytes));
  const shared = await run('hugeListChunks', { siblings: true });
  rows.push(growthRow('client.listChunks, shared parts', shared), took('client.listChunks, shared parts', shared, bytes));
  console.log(' hugeListJson');
  rows.push(await parseAll(url));
  const what = 'informer, a transform that keeps little';
  const figures = await run('hugeListInformer');
  const { retainedHeap = NaN } = figures;
  rows.push(
    peakRow(what, figures, Math.max(bound, retainedShare * retainedHeap), `<= ${retainedShare} x retained heap, or ${megabytes(bound)}`),
    took(what, figures, bytes),
    remark(`${what}, retained heap`, `${megabytes(retainedHeap)}, ${kilobytes(retainedHeap / count)} per pod`),
  );
  return rows;
}

const wanted = megabytesOf(process.argv[2]);
compile();
const server = await startPodServer();
try {
  printTable(await measure(server, wanted));
} finally {
  server.close();
}
