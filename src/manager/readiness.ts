import type { InformerHealth } from '../api/events/informerHealth.js';

/** One thing that has to be well, as `/healthz` and `/readyz` show it. */
export interface Check {
  readonly name: string;
  /** What is wrong; undefined when all is well. */
  readonly problem: string | undefined;
}

/** Whether a cache is complete and has not been without a working connection for too long. */
export function cacheCheck(name: string, health: InformerHealth, now: number, staleAfterMs: number): Check {
  const silentMs = now - health.since;
  const reason = health.error === undefined ? '' : `: ${health.error.message}`;
  if (!health.synced) return { name, problem: `${health.state}, not complete yet${reason}` };
  const isStale = health.state === 'retrying' && silentMs > staleAfterMs;
  return { name, problem: isStale ? `stale, retrying for ${Math.round(silentMs / 1000)} s${reason}` : undefined };
}

/** The answer of a probe: a line for each check, and whether all is well. */
export function probeText(checks: readonly Check[]): { readonly ok: boolean; readonly text: string } {
  const ok = checks.every(({ problem }) => problem === undefined);
  const lines = checks.map(({ name, problem }) => (problem === undefined ? `[+] ${name}` : `[-] ${name}: ${problem}`));
  return { ok, text: `${[...lines, ok ? 'ok' : 'failed'].join('\n')}\n` };
}
