/**
 * `npm run bench -- relay [pages] [pods]`: a relay in one process and its pages in another; then browsers that each watch an API server.
 * Prints the tables of docs/numbers.md.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { PageFigures } from './relay/pages.js';
import type { ServerFigures } from './relay/server.js';

const [pageCount = 500, podCount = 20_000] = process.argv.slice(2).map(Number);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function start(
  name: string,
  ...args: readonly (string | number)[]
): Promise<{ readonly child: ChildProcess; readonly said: { readonly port?: number } }> {
  const child = fork(fileURLToPath(new URL(`relay/${name}.ts`, import.meta.url)), args.map(String), {
    execArgv: ['--expose-gc', '--import', './workshop/tools/register-ts-node.mjs'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const [said] = (await once(child, 'message')) as [{ readonly port?: number }];
  return { child, said };
}

async function tell<R>(child: ChildProcess, message: object): Promise<R> {
  child.send(message);
  const [answer] = (await once(child, 'message')) as [R];
  return answer;
}

const { child: server, said } = await start('server', podCount);
const { child: pages } = await start('pages', said.port ?? 0);
const served = (): Promise<ServerFigures> => tell<ServerFigures>(server, { do: 'figures' });
const seen = (): Promise<PageFigures> => tell<PageFigures>(pages, { do: 'figures' });
const row = (what: string, measured: string): void => console.log(`| ${what} | ${measured} |`);

async function whenCurrent(count: number): Promise<PageFigures> {
  for (let waited = 0; waited < 600; waited += 1) {
    const figures = await seen();
    if (figures.current >= count) return figures;
    await pause(100);
  }
  throw new Error('Pages did not become current within a minute');
}

await tell(pages, { do: 'open', from: 0, to: 1, kinds: 1 });
let bytes = 0;
let raw = 0;
let first: PageFigures | undefined;
while (first === undefined || first.current < 1) {
  first = await seen();
  bytes += first.bytes;
  raw += first.rawBytes;
  await pause(20);
}
row(
  `first ${podCount} rows of one page`,
  `${(raw / 1e6).toFixed(2)} MB raw, ${(bytes / 1e3).toFixed(0)} kB sent, ${first.sinceMs.toFixed(0)} ms`,
);
await tell(pages, { do: 'close' });
// Waits until the relay has dropped the data that catching-up pages share.
await pause(2_000);

// One page of each user keeps the logs alive; the cost of each further page is measured.
const before = await served();
for (let from = 0; from < pageCount; from += 50) {
  await tell(pages, { do: 'open', from, to: Math.min(from + 50, pageCount), kinds: 3 });
  await whenCurrent(Math.min(from + 50, pageCount));
}
await pause(2_000);
const idle = await served();
row(`memory of a page, ${pageCount} pages x 3 kinds, quiet`, `${(((idle.rssMb - before.rssMb) * 1000) / pageCount).toFixed(0)} kB RSS`);

await tell(server, { do: 'change', perSecond: 200 });
await pause(5_000);
await served();
await seen();
const begun = await served();
await pause(20_000);
const busy = await seen();
const busyServer = await served();
row('server to page, 200 events/s', `${busy.median.toFixed(0)} ms median, ${busy.p99.toFixed(0)} ms p99 (${busy.samples} samples)`);
row('memory of a page, busy', `${(((busyServer.rssMb - before.rssMb) * 1000) / pageCount).toFixed(0)} kB RSS`);
row('longest block of the event loop, processor time', `${busyServer.longestBlockMs.toFixed(0)} ms`);
row('processor of the relay', `${((busyServer.cpuMs - begun.cpuMs) / 200).toFixed(0)} %`);
const events = busyServer.events - begun.events;
const sentOfEvent = busy.bytes / events / pageCount;
row('bytes of an event', `${((busyServer.sent - begun.sent) / events / pageCount).toFixed(0)} raw, ${sentOfEvent.toFixed(0)} sent`);

await tell(pages, { do: 'reconnect' });
const back = await whenCurrent(pageCount);
const after = await served();
row(
  `${pageCount} pages come back at once`,
  `${(back.sinceMs / 1000).toFixed(1)} s, ${(after.rssMb - busyServer.rssMb).toFixed(0)} MB more, ${((after.sent - busyServer.sent) / pageCount / 1e3).toFixed(1)} kB raw to each`,
);

server.disconnect();
pages.disconnect();

/** The number of browsers that watch without a relay: one event has 7.6 kB, so 500 of them would get 760 MB per second. */
const directCount = Math.max(1, Math.round(pageCount / 25));
const { child: api, said: saidByApi } = await start('server', podCount, 'direct');
const { child: browsers } = await start('pages', saidByApi.port ?? 0);
const ofApi = (): Promise<ServerFigures> => tell<ServerFigures>(api, { do: 'figures' });
const atBrowsers = (): Promise<PageFigures> => tell<PageFigures>(browsers, { do: 'figures' });
const bare = await ofApi();
await tell(browsers, { do: 'direct', count: pageCount, withList: false });
await pause(2_000);
const directIdle = await ofApi();
await tell(browsers, { do: 'close' });
await tell(browsers, { do: 'direct', count: directCount, withList: false });
await tell(api, { do: 'change', perSecond: 200 });
await pause(5_000);
await atBrowsers();
const directBegun = await ofApi();
await pause(20_000);
const direct = await atBrowsers();
const directServer = await ofApi();
await tell(browsers, { do: 'close' });
await pause(1_000);
await atBrowsers();
await tell(api, { do: 'change', perSecond: 0 });
await tell(browsers, { do: 'direct', count: 1, withList: true });
let listed = 0;
for (let figures = await atBrowsers(); figures.sinceMs === 0 || figures.bytes > 0; figures = await atBrowsers()) {
  listed += figures.bytes;
  await pause(200);
}
const directEvents = (directServer.events - directBegun.events) * directCount;
const compare = (what: string, ours: number, theirs: number, unit: string, digits = 0): void =>
  console.log(`| ${what} | ${ours.toFixed(digits)} ${unit} | ${theirs.toFixed(digits)} ${unit} | ${(theirs / ours).toFixed(1)} |`);
console.log(`\n| for each page | relay, ${pageCount} pages | each watches for itself, ${directCount} pages | ratio |`);
compare('bytes sent of an event', sentOfEvent, direct.bytes / directEvents, 'bytes');
compare(
  'processor time of the server for an event',
  ((busyServer.cpuMs - begun.cpuMs) * 1_000) / (events * pageCount),
  ((directServer.cpuMs - directBegun.cpuMs) * 1_000) / directEvents,
  'us',
  1,
);
compare('bytes sent of the first rows', bytes / 1e3, listed / 1e3, 'kB');
compare(
  'memory of the server, quiet',
  ((idle.rssMb - before.rssMb) * 1e3) / pageCount,
  ((directIdle.rssMb - bare.rssMb) * 1e3) / pageCount,
  'kB',
);
compare('watches at the API server', 3 / pageCount, 3, '', 3);
api.disconnect();
browsers.disconnect();
