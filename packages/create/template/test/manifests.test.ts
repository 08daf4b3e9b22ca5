import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { UnstructuredObject, V1Deployment } from 'rx-informer';
import { startApiServer, type TestApiServer } from '@rx-informer/api-server';
import { parseAllDocuments } from 'yaml';
import { websites } from '../src/webSite.js';
import { restrictedProblems } from './restricted.js';

function objectsIn(file: string): UnstructuredObject[] {
  return parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJSON() as UnstructuredObject);
}

describe('the manifests', () => {
  const operator = objectsIn('manifests/operator.yaml');
  let server: TestApiServer;

  beforeEach(async () => {
    server = await startApiServer();
  });
  afterEach(() => server.close());

  it('define what the code defines: otherwise, npm run crds', () => {
    assert.deepEqual(objectsIn('crds/website.yaml'), [websites.definition]);
  });

  it('are accepted to the last field', async () => {
    const { client } = server;
    for (const object of [...objectsIn('crds/website.yaml'), ...operator, ...objectsIn('crds/example.yaml')]) {
      const { apiVersion = '', kind = '', metadata: { name = '', namespace } = {} } = object;
      const group = apiVersion.includes('/') ? `.${apiVersion.split('/')[0]}` : '';
      client.discovery.invalidate();
      const resource = await client.discovery.find(`${kind}${group}`);
      const where = namespace === undefined ? {} : { namespace };
      await client.patch(resource, name, 'apply', object, { ...where, fieldManager: 'test', fieldValidation: 'Strict' });
    }
  });

  it('pass Pod Security "restricted"', () => {
    const deployment = operator.find(({ kind }) => kind === 'Deployment') as V1Deployment;
    const pod = deployment.spec?.template.spec;
    assert.ok(pod);
    assert.deepEqual(restrictedProblems(pod), []);
    assert.deepEqual(restrictedProblems({ containers: [{ name: 'plain' }] }).length, 4);
  });
});
