// What is said of operators, on a real API server: the specs of the controller's house that start one of either kind.
process.env['API_SERVER'] = 'real';

const specs = '../../../packages/controller/spec';
await import(`${specs}/children/children.spec.js`);
await import(`${specs}/definitions/defineResource.spec.js`);
await import(`${specs}/webhooks/convert.spec.js`);
await import(`${specs}/webhooks/mutate.spec.js`);
await import(`${specs}/webhooks/validate.spec.js`);
