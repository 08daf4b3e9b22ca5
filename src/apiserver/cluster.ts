import type { AccessControl } from './auth/accessControl.js';
import type { WebhookService } from './admission/webhookService.js';
import type { TokenIssuer } from './auth/tokenIssuer.js';
import type { Clock } from '../api/clock.js';
import type { ServerHooks } from './hooks.js';
import type { WrittenLogs } from './logs/writtenLogs.js';
import type { KindRegistry } from './kinds/registry.js';
import type { ProfileFeatures } from './profile.js';
import type { RandomSource } from './randomSource.js';
import type { Store } from './store/store.js';
import type { WatchHub } from './watch/watchHub.js';

/**
 * Everything one server consists of, for the handlers of requests and for the controllers inside.
 */
export interface Cluster {
  readonly store: Store;
  readonly kinds: KindRegistry;
  readonly watches: WatchHub;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly features: ProfileFeatures;
  readonly hooks: ServerHooks;
  readonly access: AccessControl;
  /** The lines that tests have written into logs of containers. */
  readonly logs: WrittenLogs;
  /** Signs the tokens of service accounts. */
  readonly tokenIssuer: TokenIssuer;
  /** Where a service is reached that webhooks run behind; undefined for its external name or Endpoints. */
  readonly serviceAddress: ((service: WebhookService) => string | undefined) | undefined;
  readonly bookmarkIntervalMs: number;
  /** Whether the owners of fields are kept from the start, and not only from the first apply. */
  readonly managedFields: boolean;
  /** Whether objects of built-in kinds are validated by their schemas. */
  readonly schema: boolean;
  /** Whether lists and watches are selected by `shardSelector`. */
  readonly shardedListAndWatch: boolean;
}
