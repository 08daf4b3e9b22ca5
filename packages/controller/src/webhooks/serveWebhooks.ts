import type { KubeClient } from 'rx-informer';
import { expectArgument, rules } from 'rx-informer/internal';
import { type CertificateSource } from './certificates/certificateSource.js';
import { fileCertificates } from './certificates/fileCertificates.js';
import { ownCertificates } from './certificates/ownCertificates.js';
import { servedWebhooks, type Webhook } from './webhook.js';
import { WebhookServer } from './webhookServer.js';
import { type WebhookServerOptions, webhookSettings, type WebhookSettings } from './webhookServerOptions.js';

/** Options of `serveWebhooks`. */
export interface ServeWebhooksOptions extends WebhookServerOptions {
  readonly webhooks: readonly Webhook[];
  /** Reads and writes the Secret of own certificates, the Lease, and the configurations. Needed with own certificates only. */
  readonly client?: KubeClient | undefined;
}

/** Running webhooks. */
export interface RunningWebhooks {
  /** The port being listened on; undefined until there is a certificate. */
  port(): number | undefined;
  /** For a readiness check: why nothing is served; undefined while it is. */
  problem(): string | undefined;
  /** Resolves when the webhooks are served. */
  readonly whenServing: Promise<void>;
  /** Resolves with the error that ended the server, such as a port in use; with undefined after `stop`. */
  readonly ended: Promise<Error | undefined>;
  /**
   * Answers the reviews under way, and ends.
   *
   * @param graceMs - How long they may take, in milliseconds; 1000 by default.
   */
  stop(graceMs?: number): Promise<void>;
  /** The same as `stop`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

function sourceOf(settings: WebhookSettings, webhooks: readonly Webhook[], client: KubeClient | undefined): CertificateSource {
  const { certificates, scheduler, logger } = settings;
  if (!('secret' in certificates)) {
    return fileCertificates(certificates.directory, scheduler, (problem) => logger.error(`webhooks: ${problem}`));
  }
  if (client === undefined) throw new TypeError('Expected `client` of `serveWebhooks`: own certificates are kept in a Secret');
  return ownCertificates({ client, webhooks: servedWebhooks(webhooks), certificates, settings });
}

/**
 * Serves webhooks in a program without a manager; `createManager` does so by its option `webhooks`.
 *
 * Every replica serves, elected or not. TLS 1.2 or later. Nothing is listened on before there is a certificate: `problem` says so to a readiness check.
 *
 * @example
 * ```tsx
 * import { resources } from 'rx-informer';
 * import { serveWebhooks, validate } from '@rx-informer/controller/webhooks';
 *
 * const running = serveWebhooks({
 *   webhooks: [validate(resources.core.v1.pods, ({ object }) => (object.spec?.hostPID ? { deny: 'no host processes' } : undefined))],
 *   certificates: { directory: '/certificates' },
 * });
 * process.once('SIGTERM', () => void running.stop());
 * ```
 *
 * @throws TypeError when an option is wrong.
 */
export function serveWebhooks({ webhooks, client, ...options }: ServeWebhooksOptions): RunningWebhooks {
  expectArgument('serveWebhooks', 'webhooks', webhooks, rules.listOf(rules.object, 'webhooks'));
  const served = servedWebhooks(webhooks);
  const settings = webhookSettings('serveWebhooks', options);
  const server = new WebhookServer(served, sourceOf(settings, webhooks, client), settings);
  const stop = (graceMs = 1_000): Promise<void> => server.stop(graceMs);
  return {
    port: () => server.port(),
    problem: () => server.problem(),
    whenServing: server.listening,
    ended: server.ended,
    stop,
    [Symbol.asyncDispose]: () => stop(),
  };
}
