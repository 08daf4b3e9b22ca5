import type { FaultCase } from './faultCase.js';
import type { Measurement } from './measure.js';

const duration = (ms: number): string => (ms < 1_000 ? `${ms.toFixed(0)} ms` : `${(ms / 1_000).toFixed(1)} s`);
const within = (measured: string, most: string): string => `${measured} (${most})`;

function noticed({ promise }: FaultCase, { noticedMs }: Measurement): string {
  return promise.noticedMs === Infinity ? '-' : within(duration(noticedMs), duration(promise.noticedMs));
}

function lost({ promise }: FaultCase, { untold, writes }: Measurement): string {
  return promise.lost === 'nothing'
    ? 'nothing'
    : untold === 0
      ? `nothing (${promise.lost})`
      : `${String(untold)} of ${String(writes)} (${promise.lost})`;
}

/** The broken promises, in words. */
export function brokenPromises({ promise }: FaultCase, seen: Measurement): readonly string[] {
  const broken: string[] = [];
  // Infinity: the informer must not be disturbed.
  if (promise.noticedMs !== Infinity && !(seen.noticedMs <= promise.noticedMs)) broken.push(`noticed after ${duration(seen.noticedMs)}`);
  if (!(seen.consistentMs <= promise.consistentMs)) broken.push(`consistent after ${duration(seen.consistentMs)}`);
  if (!(seen.perMinute <= promise.perMinute)) broken.push(`${String(seen.perMinute)} requests a minute`);
  if (promise.lost === 'nothing' && seen.untold > 0) broken.push(`${String(seen.untold)} of ${String(seen.writes)} writes were not told`);
  return [...broken, ...seen.differences.map((who) => `the ${who} is not the server's state`)];
}

/** The table of docs/reliability.md. */
export function faultTable(rows: readonly (readonly [FaultCase, Measurement])[]): string {
  return [
    '| fault | noticed after | consistent after | requests a minute | lost | spec |',
    '|---|---|---|---|---|---|',
    ...rows.map(([fault, seen]) => {
      const { file } = fault.spec;
      const name = file.replace(/^.*\//, '').replace(/\.spec\.ts$/, '');
      const measured = [
        noticed(fault, seen),
        within(duration(seen.consistentMs), duration(fault.promise.consistentMs)),
        within(String(seen.perMinute), String(fault.promise.perMinute)),
        lost(fault, seen),
      ];
      return `| ${fault.fault} | ${measured.join(' | ')} | [${name}](../${file}) |`;
    }),
  ].join('\n');
}
