import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { desiredChildren, statusOf } from '../src/desiredState.js';
import type { WebSite } from '../src/webSite.js';

const site: WebSite = {
  apiVersion: 'example.com/v1',
  kind: 'WebSite',
  metadata: { name: 'shop', namespace: 'default', uid: 'u', generation: 3 },
  spec: { host: 'shop.example.com', image: 'nginx:1', replicas: 2 },
};
const deploymentWith = (readyReplicas: number) => ({ ...desiredChildren(site)[0], status: { readyReplicas } });
const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));

describe('the desired state of a site', () => {
  it('has a deployment, and a service for its pods', () => {
    const [deployment, service] = desiredChildren(site);
    assert.equal(deployment.spec?.replicas, 2);
    assert.deepEqual(service.spec?.selector, deployment.spec?.selector.matchLabels);
  });
});

describe('the status of a site', () => {
  it('is ready when all wanted replicas are, and remembers since when', () => {
    const starting = statusOf(site, undefined, at(1));
    assert.equal(starting.conditions?.[0]?.message, '0 of 2 replicas are ready');
    const halfWay = statusOf({ ...site, status: starting }, deploymentWith(1), at(2));
    assert.equal(halfWay.conditions?.[0]?.lastTransitionTime, '2026-01-01T00:00:01Z');
    const ready = statusOf({ ...site, status: halfWay }, deploymentWith(2), at(3));
    assert.equal(ready.conditions?.[0]?.status, 'True');
    assert.equal(statusOf({ ...site, status: ready }, deploymentWith(2), at(9)), ready);
  });
});
