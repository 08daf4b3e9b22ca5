import type { OptionRules } from '../../api/options/optionRule.js';
import { rules } from '../../api/options/rules.js';
import type { SnapshotStore } from './snapshotStore.js';

/** Options of a warm start. */
export interface WarmStartOptions {
  /** Where the cache is kept between two runs. */
  readonly store: SnapshotStore;
  /** How often the cache is saved, when it has changed; it is saved once more at the end. At least 1,000, default 60,000. */
  readonly saveEveryMs?: number | undefined;
  /** Whether Secrets may be saved. Default `false`: an informer on Secrets is refused. */
  readonly secrets?: boolean | undefined;
}

/** The rules of the options of a warm start. @internal */
export const warmStartRules: OptionRules<WarmStartOptions> = {
  store: rules.withMethods('open', 'save'),
  saveEveryMs: rules.durationOf({ min: 1000, infinite: true }),
  secrets: rules.boolean,
};
