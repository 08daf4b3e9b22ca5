import { messageOf } from 'rx-informer/internal';
import type { Check } from './probeServer.js';

/** A check of a program's own, for `/healthz` or `/readyz`. It fails by throwing or rejecting; the message is shown. */
export type HealthCheck = () => unknown;

/** How long a check may take. */
const limitMs = 5_000;

/** The checks of a program's own for one probe, with their last results. */
export class OwnChecks {
  private readonly checks: readonly (readonly [name: string, check: HealthCheck])[];
  private results: readonly Check[];

  constructor(checks: Readonly<Record<string, HealthCheck>>) {
    this.checks = Object.entries(checks);
    this.results = this.checks.map(([name]) => ({ name, problem: undefined }));
  }

  /** The results when they were last asked for. */
  last(): readonly Check[] {
    return this.results;
  }

  /** Runs all checks at once. One that takes longer than 5 s fails. */
  async run(): Promise<readonly Check[]> {
    this.results = await Promise.all(this.checks.map(async ([name, check]) => ({ name, problem: await problemOf(check) })));
    return this.results;
  }
}

async function problemOf(check: HealthCheck): Promise<string | undefined> {
  let timer: unknown;
  const late = new Promise<string>((resolve) => {
    // eslint-disable-next-line no-restricted-globals -- a probe is answered in real time
    timer = setTimeout(() => resolve(`no result within ${limitMs / 1000} s`), limitMs);
  });
  try {
    return await Promise.race([Promise.resolve(check()).then(() => undefined), late]);
  } catch (error) {
    return messageOf(error);
  } finally {
    clearTimeout(timer as number);
  }
}
