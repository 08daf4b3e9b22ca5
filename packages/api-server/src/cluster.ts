import type { AccessControl } from './auth/accessControl.js';
import type { WebhookService } from './admission/webhookService.js';
import type { TokenIssuer } from './auth/tokenIssuer.js';
import type { Clock } from 'rx-informer/workqueue';
import type { ServerHooks } from './hooks.js';
import type { WrittenLogs } from './logs/writtenLogs.js';
import type { KindRegistry } from './kinds/registry.js';
import type { ProfileFeatures } from './profile.js';
import type { RandomSource } from './randomSource.js';
import type { Store } from './store/store.js';
import type { WatchHub } from './watch/watchHub.js';

/** All parts of one server, for request handlers and controllers. */
export interface Cluster {
  readonly store: Store;
  readonly kinds: KindRegistry;
  readonly watches: WatchHub;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly features: ProfileFeatures;
  readonly hooks: ServerHooks;
  readonly access: AccessControl;
  /** The log lines that tests have written for containers. */
  readonly logs: WrittenLogs;
  /** Signs the tokens of service accounts. */
  readonly tokenIssuer: TokenIssuer;
  /** The option `serviceAddress`; when it is undefined or returns undefined, the external name or the Endpoints of the service are used. */
  readonly serviceAddress: ((service: WebhookService) => string | undefined) | undefined;
  readonly bookmarkIntervalMs: number;
  /** Whether owners of fields are recorded from the first write, not only from the first apply. */
  readonly managedFields: boolean;
  /** Whether objects of built-in kinds are validated by their schemas. */
  readonly schema: boolean;
  /** Whether lists and watches apply `shardSelector`. */
  readonly shardedListAndWatch: boolean;
}
