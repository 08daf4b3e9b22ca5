import { finalize, ignoreElements, merge, type Observable, of, tap } from 'rxjs';
import { dateOf, messageOf } from 'rx-informer/internal';
import { type KubeClient, resources, type SharedInformer, type V1Secret } from 'rx-informer';
import { mappedKeys } from '../../reconcile/mappedKeys.js';
import { reconcile } from '../../reconcile/reconcile.js';
import type { ServedWebhook } from '../webhook.js';
import type { OwnCertificates, WebhookSettings } from '../webhookServerOptions.js';
import {
  authorityDue,
  authorityLifetimes,
  certificateDue,
  entriesOf,
  type HeldCertificates,
  heldIn,
  withAuthority,
} from './heldCertificates.js';
import { issueCertificate, makeAuthority } from './issueCertificates.js';
import { publicationTargets } from './publishAuthorities.js';

const { secrets } = resources.core.v1;
/** Dates are looked at once an hour: the wall clock may be set. */
const longestPauseMs = 3_600_000;

/** Certificates that the replicas of a program make themselves. */
export interface OwnCertificateParts {
  readonly client: KubeClient;
  readonly webhooks: readonly ServedWebhook[];
  readonly certificates: OwnCertificates & { readonly lifetimeMs: number };
  readonly settings: WebhookSettings;
}

/** Writes the certificates of one Secret, and publishes its authorities. Works while this replica is the elected one. */
class Renewal {
  private readonly parts: OwnCertificateParts;
  private readonly informer: SharedInformer<V1Secret>;
  private readonly client: KubeClient;
  private readonly targets: ReturnType<typeof publicationTargets>;

  constructor(parts: OwnCertificateParts, informer: SharedInformer<V1Secret>, client: KubeClient) {
    const { name = '' } = parts.settings;
    this.parts = parts;
    this.informer = informer;
    this.client = client;
    this.targets = publicationTargets(parts.client, parts.webhooks, name);
  }

  run(): Observable<never> {
    const { scheduler, logger } = this.parts.settings;
    const all = [this.informer, ...this.targets.map((target) => target.informer)];
    // One key: whatever has changed, everything is compared.
    const sources = [of('certificates'), ...all.map((one) => one.resource$.pipe(mappedKeys<unknown>(() => ['certificates'])))];
    const outcome$ = reconcile({
      sources,
      caches: all,
      scheduler,
      name: 'webhook certificates',
      reconcile: ({ signal }) => this.pass(signal),
    });
    return merge(outcome$, ...this.targets.map(({ informer }) => informer.error$)).pipe(
      tap((said) => {
        if (said instanceof Error) logger.error(`webhooks: ${said.message}`);
        else if (said.type === 'failed') logger.error(`webhooks: certificates cannot be kept up: ${messageOf(said.error)}`);
      }),
      ignoreElements(),
      finalize(() => {
        for (const { informer } of this.targets) void informer.stop();
      }),
    );
  }

  /**
   * One comparison, in an order that never serves what is not trusted yet: first a due authority is made and stored, then the bundle is published, and then
   * a due certificate is issued.
   */
  private async pass(signal: AbortSignal): Promise<{ readonly requeueAfterMs: number }> {
    const { settings, certificates } = this.parts;
    const { scheduler, service } = settings;
    const names = serviceNames(service);
    const { lifetimeMs } = certificates;
    const now = dateOf(scheduler);
    const rules = { now, names, lifetimeMs };
    let secret = this.informer.lister.namespace(certificates.secret.namespace).get(certificates.secret.name);
    let held = heldIn(secret);
    if (authorityDue(held, rules) <= now) {
      const made = await makeAuthority({ now, lifetimeMs: authorityLifetimes * lifetimeMs });
      held = { ...held, authorities: withAuthority(held, made.cert, now), authorityKey: made.key };
      secret = await this.store(secret, held, signal);
    }
    const caBundle = Buffer.from(held.authorities.join('')).toString('base64');
    for (const target of this.targets) await target.publish(this.client, caBundle, signal);
    if (certificateDue(held, rules) <= now) {
      const authority = { cert: held.authorities[0] ?? '', key: held.authorityKey };
      held = { ...held, ...(await issueCertificate(authority, names, { now, lifetimeMs })) };
      await this.store(secret, held, signal);
    }
    const due = Math.min(authorityDue(held, rules), certificateDue(held, rules));
    // Timers run by another clock than certificates, which stands still while the machine sleeps.
    return { requeueAfterMs: Math.min(Math.max(1_000, due - now), longestPauseMs) };
  }

  /** Writes the Secret in the version that was read: of two replicas that believe to be elected, one fails and reads again. */
  private store(secret: V1Secret | undefined, held: HeldCertificates, signal: AbortSignal): Promise<V1Secret> {
    const { namespace, name } = this.parts.certificates.secret;
    const data = { ...secret?.data, ...entriesOf(held) };
    if (secret === undefined) return this.client.create(secrets, { metadata: { namespace, name }, data }, { signal });
    return this.client.replace(secrets, { ...secret, data }, { signal });
  }
}

function serviceNames(service: WebhookSettings['service']): readonly string[] {
  const host = `${service?.name ?? ''}.${service?.namespace ?? ''}`;
  return [`${host}.svc`, `${host}.svc.cluster.local`];
}

/**
 * Makes and renews the certificates of a Secret, and keeps the `caBundle` of configurations and definitions up to date, while subscribed to. One replica does so.
 *
 * @param client - bound to the leadership.
 */
export function renewCertificates(parts: OwnCertificateParts, informer: SharedInformer<V1Secret>, client: KubeClient): Observable<never> {
  return new Renewal(parts, informer, client).run();
}
