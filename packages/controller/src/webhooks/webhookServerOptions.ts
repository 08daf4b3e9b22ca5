import type { SchedulerLike } from 'rxjs';
import { checkOptions, definedOf, rules, schedulerOf } from 'rx-informer/internal';
import { defaultDirectory } from './certificates/fileCertificates.js';
import type { ReviewObserver } from './reviewObserver.js';

/** Certificates from files, in the layout of cert-manager and of any Secret of the type `kubernetes.io/tls`. */
export interface FileCertificates {
  /**
   * The directory with `tls.crt` and `tls.key`. They are read again every 10 seconds, so that renewed ones are served without a restart.
   *
   * @defaultValue '/tmp/k8s-webhook-server/serving-certs', as in controller-runtime
   */
  readonly directory?: string | undefined;
}

/** Certificates that the replicas make themselves, with `@peculiar/x509`, and share in a Secret. */
export interface OwnCertificates {
  /**
   * The Secret, which is created if it is missing. One replica, elected by a Lease of that name, renews the certificates in it and keeps the `caBundle` of the
   * configurations and definitions up to date.
   */
  readonly secret: { readonly namespace: string; readonly name: string };
  /**
   * How long a certificate is valid, in milliseconds; the authority ten times as long. Both are renewed after two thirds of it.
   *
   * @defaultValue 90 days
   */
  readonly lifetimeMs?: number | undefined;
}

/** Where the API server finds the webhooks. */
export interface WebhookService {
  readonly namespace: string;
  readonly name: string;
  /** @defaultValue 443 */
  readonly port?: number | undefined;
}

/** Options of a server of webhooks. */
export interface WebhookServerOptions {
  /**
   * The port to listen on; 0 for any free one.
   *
   * @defaultValue 9443
   */
  readonly port?: number | undefined;
  /** The network address to listen on. @defaultValue all addresses */
  readonly host?: string | undefined;
  /** Where the certificate comes from. @defaultValue the files of `FileCertificates` */
  readonly certificates?: FileCertificates | OwnCertificates | undefined;
  /** The Service of the webhooks: needed for own certificates, which are valid for its name. */
  readonly service?: WebhookService | undefined;
  /**
   * The name of the configurations, whose `caBundle` is kept up to date with own certificates.
   *
   * @defaultValue the name of the service
   */
  readonly name?: string | undefined;
  /** The largest admission review, in bytes. @defaultValue 7340032, as in controller-runtime */
  readonly maxAdmissionBytes?: number | undefined;
  /** The largest conversion review, in bytes: a whole page of a list is sent in one. @defaultValue 134217728 */
  readonly maxConversionBytes?: number | undefined;
  /** Gets each review, for metrics and traces. */
  readonly observers?: readonly ReviewObserver[] | undefined;
  /** Gets a line about each failure. @defaultValue `console` */
  readonly logger?: { info(message: string): void; error(message: string): void } | undefined;
  /** @defaultValue a monotonic clock */
  readonly scheduler?: SchedulerLike | undefined;
}

/** Checked options, with the defaults filled in. */
export interface WebhookSettings extends Required<Omit<WebhookServerOptions, 'host' | 'service' | 'name'>> {
  readonly port: number;
  readonly host: string | undefined;
  readonly certificates: { readonly directory: string } | (OwnCertificates & { readonly lifetimeMs: number });
  readonly service: WebhookService | undefined;
  readonly name: string | undefined;
  readonly maxAdmissionBytes: number;
  readonly maxConversionBytes: number;
  readonly observers: readonly ReviewObserver[];
  readonly logger: { info(message: string): void; error(message: string): void };
  readonly scheduler: SchedulerLike;
}

const dayMs = 86_400_000;

/** Checks the Service of webhooks. @throws TypeError */
export function expectService(owner: string, service: WebhookService): void {
  checkOptions(`${owner}.service`, service, {
    namespace: rules.required(rules.nonEmptyString),
    name: rules.required(rules.nonEmptyString),
    port: rules.number({ min: 1, max: 65_535, integer: true }),
  });
}

function certificatesOf(owner: string, given: FileCertificates | OwnCertificates): WebhookSettings['certificates'] {
  if (!('secret' in given)) {
    checkOptions(`${owner}.certificates`, given, { directory: rules.nonEmptyString });
    return { directory: given.directory ?? defaultDirectory };
  }
  checkOptions(`${owner}.certificates`, given, { secret: rules.required(rules.object), lifetimeMs: rules.durationOf({ min: 60_000 }) });
  checkOptions(`${owner}.certificates.secret`, given.secret, {
    namespace: rules.required(rules.nonEmptyString),
    name: rules.required(rules.nonEmptyString),
  });
  return { secret: given.secret, lifetimeMs: given.lifetimeMs ?? 90 * dayMs };
}

/** Checks options, and fills in the defaults. */
export function webhookSettings(owner: string, options: WebhookServerOptions): WebhookSettings {
  const bytes = rules.number({ min: 1, integer: true });
  checkOptions(owner, options, {
    port: rules.number({ min: 0, max: 65_535, integer: true }),
    host: rules.nonEmptyString,
    certificates: rules.object,
    service: rules.object,
    name: rules.nonEmptyString,
    maxAdmissionBytes: bytes,
    maxConversionBytes: bytes,
    observers: rules.listOf(rules.object, 'observers'),
    logger: rules.withMethods('info', 'error'),
    scheduler: rules.scheduler,
  });
  const { service, certificates = {} } = options;
  if (service !== undefined) expectService(owner, service);
  if ('secret' in certificates && service === undefined)
    throw new TypeError(`Expected \`service\` of \`${owner}\`: own certificates are valid for its name`);
  const usual = { port: 9443, maxAdmissionBytes: 7 * 1024 * 1024, maxConversionBytes: 128 * 1024 * 1024, observers: [], logger: console };
  return {
    ...usual,
    ...definedOf(options),
    host: options.host,
    service,
    name: options.name ?? service?.name,
    certificates: certificatesOf(owner, certificates),
    scheduler: schedulerOf(options.scheduler),
  };
}
