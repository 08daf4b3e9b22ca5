// Webhooks
export { validate, type Validation } from './validate.js';
export { mutate, type MutateOptions, type Mutation } from './mutate.js';
export { convert, type ConvertedVersion } from './convert.js';
export type { AdmissionOptions } from './admission.js';
export type { AdmissionOperation, AdmissionRequest, AdmissionUser, AdmissionVerdict, Webhook } from './webhook.js';

// Serving
export { serveWebhooks, type RunningWebhooks, type ServeWebhooksOptions } from './serveWebhooks.js';
export type { FileCertificates, OwnCertificates, WebhookServerOptions, WebhookService } from './webhookServerOptions.js';
export type { ReviewObserver, ReviewReport } from './reviewObserver.js';

// Manifests and tests
export { webhookManifests, type WebhookManifest, type WebhookManifestOptions } from './webhookManifests.js';
export { installWebhooks, type InstalledWebhooks, type InstallWebhooksOptions } from './installWebhooks.js';
export { breaches } from './breaches.js';
