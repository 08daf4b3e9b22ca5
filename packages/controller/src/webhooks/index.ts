// Webhooks
export { validate } from './validate.js';
export { mutate } from './mutate.js';
export { convert } from './convert.js';
export type { AdmissionRequest, Webhook } from './webhook.js';

// Serving
export { serveWebhooks, type RunningWebhooks } from './serveWebhooks.js';

// Manifests and tests
export { webhookManifests } from './webhookManifests.js';
export { installWebhooks } from './installWebhooks.js';
export { breaches } from './breaches.js';
