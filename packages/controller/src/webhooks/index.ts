// Webhooks
export { validate } from './validate.js';
export { mutate } from './mutate.js';
export { convert } from './convert.js';
export type { AdmissionRequest, Webhook } from './webhook.js';

// Serving
export { serveWebhooks, type RunningWebhooks } from './serveWebhooks.js';
export type { ReviewObserver } from './reviewObserver.js';

// Manifests and tests
export { webhookManifests } from './webhookManifests.js';
export { installWebhooks, type InstalledWebhooks } from './installWebhooks.js';
export { breaches } from './breaches.js';
