import type { OperatorRun } from './operatorRun.js';

/** An operator that is built of its published module, and what shows that it works. */
export interface Operator {
  readonly name: string;
  readonly module: string;
  /** Its programs, and their folders in the module. */
  readonly programs: Readonly<Record<string, string>>;
  /** What needs a free port: names of its services, or of other things that listen. */
  readonly ports: readonly string[];
  /** Brings it to its usual end state. Returns with nothing, or throws. */
  reach(run: OperatorRun, programs: Readonly<Record<string, string>>): Promise<void>;
}
