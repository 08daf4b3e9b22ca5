import { type RunningWebhooks, serveWebhooks } from '../webhooks/serveWebhooks.js';
import type { ManagerMetrics } from './managerMetrics.js';
import type { ManagerSettings } from './managerOptions.js';

/**
 * Serves the webhooks of a manager. They come before its caches: a list may need a conversion by this same process.
 *
 * @param fail - called when the server ends with an error.
 */
export function managedWebhooks(
  { webhooks = [], webhookServer = {}, client, logger, scheduler }: ManagerSettings,
  metrics: ManagerMetrics | undefined,
  fail: (error: Error) => void,
): RunningWebhooks | undefined {
  if (webhooks.length === 0) return undefined;
  const observers = [...(webhookServer.observers ?? []), ...(metrics === undefined ? [] : [metrics.webhooks])];
  const running = serveWebhooks({ ...webhookServer, webhooks, client, observers, logger, scheduler });
  void running.ended.then((error) => {
    if (error !== undefined) fail(new Error(`The webhooks have failed: ${error.message}`, { cause: error }));
  });
  return running;
}
