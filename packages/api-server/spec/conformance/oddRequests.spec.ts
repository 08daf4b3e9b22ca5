import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApiServer, type TestApiServer } from '../../src/startApiServer.js';
import { send, type Answer } from '../support/httpClient.js';

const core = '/api/v1/namespaces/default';
const maps = `${core}/configmaps`;

describe('requests that no client sends', () => {
  let server: TestApiServer;
  beforeAll(async () => {
    server = await startApiServer({ garbageCollection: false });
    for (const name of ['c0', 'c1', 'c2']) await ask('POST', maps, { metadata: { name } });
  });
  afterAll(() => server.close());
  const ask = (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    send(server, path, { method, headers, ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }) });
  const refusal = async (...request: Parameters<typeof ask>): Promise<readonly [code: number, message: string]> => {
    const { code, json } = await ask(...request);
    return [code, json.message];
  };

  describe('options of a deletion', () => {
    const unsupported = 'DeleteOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value';
    it.each([
      ['{"kind":1}', 400, 'kind: expected a string, got number'],
      ['{"apiVersion":[]}', 400, 'apiVersion: expected a string, got array'],
      ['{"apiVersion":"a/b/c"}', 400, 'unexpected GroupVersion string: a/b/c'],
      ['{"kind":"Status","apiVersion":"apps/v1"}', 400, 'converting (v1.Status) to (v1.DeleteOptions): unknown conversion'],
      ['{"propagationPolicy":1,"gracePeriodSeconds":"0"}', 400, 'DeleteOptions.propagationPolicy: expected a string, got number'],
      ['{"gracePeriodSeconds":1e+30}', 400, 'DeleteOptions.gracePeriodSeconds: expected a whole number, got number'],
      ['{"dryRun":[1]}', 400, 'DeleteOptions.dryRun: expected a list of strings, got number'],
      ['{"dryRun":[null]}', 422, `${unsupported}: [""]: supported values: "All"`],
      [
        '{"ignoreStoreReadErrorWithClusterBreakingPotential":1}',
        400,
        'DeleteOptions.ignoreStoreReadErrorWithClusterBreakingPotential: expected a boolean, got number',
      ],
      ['{"kind":null,"apiVersion":null}', 404, 'configmaps "absent" not found'],
    ])('%s', async (body, code, message) => {
      expect(await refusal('DELETE', `${maps}/absent`, body)).toEqual([code, message]);
    });

    it('a kind of another group is not known', async () => {
      const [code, message] = await refusal('DELETE', `${maps}/absent`, { kind: 'Pod' });
      expect([code, message.slice(0, 58)]).toEqual([400, 'no kind "Pod" is registered for version "meta.k8s.io/v1" i']);
    });

    it('an empty precondition is met by no object', async () => {
      const [code, message] = await refusal('DELETE', `${maps}/c0`, { preconditions: { resourceVersion: '' } });
      expect([code, message.slice(0, 91)]).toEqual([
        409,
        'Operation cannot be fulfilled on ConfigMap "c0": the ResourceVersion in the precondition ()',
      ]);
    });

    it('the answer shows the version of the deletion', async () => {
      const { json: created } = await ask('POST', `${core}/serviceaccounts`, { metadata: { name: 'gone' } });
      const { json: deleted } = await ask('DELETE', `${core}/serviceaccounts/gone`);
      expect(Number(deleted.metadata.resourceVersion)).toBeGreaterThan(Number(created.metadata.resourceVersion));
    });

    it('a later deletion replaces what the garbage collector shall do', async () => {
      await ask('POST', maps, { metadata: { name: 'held' } });
      await ask('DELETE', `${maps}/held`, { propagationPolicy: 'Orphan' });
      const { json } = await ask('DELETE', `${maps}/held`, { propagationPolicy: 'Foreground' });
      expect(json.metadata.finalizers).toEqual(['foregroundDeletion']);
    });

    it('the deletion of no jobs warns about their pods, too', async () => {
      const { headers } = await ask('DELETE', '/apis/batch/v1/namespaces/default/jobs');
      expect(headers['warning']).toContain('child pods are preserved by default');
    });
  });

  describe('lists', () => {
    it.each([
      ['fieldSelector=spec.b%3Dx,spec.a%3Dx', '"spec.a" is not a known field selector'],
      ['fieldSelector=metadata.name,%3Dx', "invalid selector: 'metadata.name,=x'; can't understand 'metadata.name'"],
      ['fieldSelector=%20metadata.name%3Dc0', '" metadata.name" is not a known field selector'],
      ['fieldSelector=metadata.name%3D%5C%5C%5Cx', 'invalid field selector: invalid escape sequence: \\x'],
      ['labelSelector=n%20in%20(0%201),,', "unable to parse requirement: found '1', expected: ',' or ')'"],
      ['labelSelector=n%20in%20(,%3D0', "unable to parse requirement: found '=', expected: ',', or identifier"],
      ['continue=bnVsbA', 'invalid continue token: continue key is not valid: server does not recognize this encoded version '],
    ])('%s', async (query, message) => {
      const [code, found] = await refusal(
        'GET',
        `${maps}?${query}`.replace('configmaps', query.startsWith('field') ? 'limitranges' : 'configmaps'),
      );
      expect([code, found.slice(0, message.length)]).toEqual([400, message]);
    });

    it('a backslash that is escaped escapes nothing', async () => {
      const { code, json } = await ask('GET', `${maps}?fieldSelector=metadata.name!%3D%5C%5Cx,metadata.name%3Dc0`);
      expect([code, (json.items as readonly unknown[]).length]).toEqual([200, 1]);
    });

    it('nodes have no namespace to select', async () => {
      expect(await refusal('GET', '/api/v1/nodes?fieldSelector=metadata.namespace%3Dx')).toEqual([
        400,
        'field label not supported: metadata.namespace',
      ]);
    });

    it('only the version "0" is that of the watch cache, which reads no limit', async () => {
      const count = async (version: string): Promise<number> => {
        const { json } = await ask('GET', `${maps}?limit=1&resourceVersion=${version}`);
        return (json.items as readonly unknown[]).length;
      };
      expect([await count('00'), await count('0')]).toEqual([1, 4]);
    });

    it('the deletion of a collection with a version is that of the objects of then', async () => {
      const { json } = await ask('DELETE', `${core}/secrets?resourceVersion=1`);
      expect([json.items, json.metadata.resourceVersion]).toEqual([[], '1']);
    });
  });

  describe('watches', () => {
    const forbidden = 'ListOptions.meta.k8s.io "" is invalid:';
    it.each([
      ['watch=1&timeoutSeconds=x', 'application/yaml', 400],
      ['watch=1&resourceVersion=x', 'application/yaml', 406],
      ['watch=1&timeoutSeconds=x', 'application/json;stream=x', 406],
      ['watch=1&continue=x&resourceVersion=x', 'application/json', 500],
      ['watch=1&continue=x&resourceVersion=0', 'application/json', 422],
      ['watch=1&timeout=x&timeoutSeconds=y', 'application/json', 400],
      ['timeout=x', 'application/json', 400],
    ])('%s as %s', async (query, accept, expected) => {
      expect((await ask('GET', `${maps}?${query}`, undefined, { accept })).code).toBe(expected);
    });

    it('the timeout of a request is not read', async () => {
      expect((await refusal('GET', `${maps}?watch=1&timeout=x&timeoutSeconds=y`))[1]).toBe('"y" is no whole number');
    });

    it('a token beside resourceVersionMatch is the last of the mistakes', async () => {
      const [code, message] = await refusal('GET', `${maps}?watch=1&sendInitialEvents=true&resourceVersionMatch=x&continue=x`);
      const parts = [
        'resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
        'resourceVersionMatch: Unsupported value: "x": supported values: "NotOlderThan"',
        'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
      ];
      expect([code, message]).toEqual([422, `${forbidden} [${parts.join(', ')}]`]);
    });

    it('a path with the prefix has the parameters of a list', async () => {
      expect(await refusal('GET', '/api/v1/watch/namespaces/default/configmaps?sendInitialEvents=true')).toEqual([
        422,
        `${forbidden} sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list`,
      ]);
    });
  });

  describe('patches', () => {
    const merge = 'application/merge-patch+json';
    const apply = 'application/apply-patch+yaml';
    const four =
      'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/strategic-merge-patch+json, application/apply-patch+yaml';
    it.each([
      ['APPLICATION/MERGE-PATCH+JSON', '415: Unsupported Media Type'],
      ['application/merge-patch+json,application/json', four],
    ])('of the type %s are not known', async (type, message) => {
      expect(await refusal('PATCH', `${maps}/c0`, {}, { 'content-type': type })).toEqual([415, message]);
    });

    it('a kind is a text', async () => {
      const [code, message] = await refusal('PATCH', `${maps}/c0`, { kind: 1 }, { 'content-type': merge });
      const problem = 'kind: expected a string, got number';
      expect([code, message.slice(-problem.length)]).toEqual([422, problem]);
    });

    it('an empty list of managers makes a built-in kind forget them', async () => {
      const patch = { metadata: { managedFields: [] } };
      const { json } = await ask('PATCH', `${maps}/c1`, patch, { 'content-type': merge });
      expect(json.metadata).not.toHaveProperty('managedFields');
    });

    it.each([
      ['a%E2%80%A8b', '"a\u2028b": must consist of printable characters'],
      ['a%C2%A0b', '"a\u00a0b": must consist of printable characters'],
    ])('the manager %s is not printed, which is said before other mistakes', async (manager, problem) => {
      const [code, message] = await refusal('PATCH', `${maps}/c2?fieldManager=${manager}&dryRun=x`, {}, { 'content-type': merge });
      const manages = `fieldManager: Invalid value: ${problem}, dryRun: Unsupported value: ["x"]: supported values: "All"`;
      expect([code, message]).toEqual([422, `PatchOptions.meta.k8s.io "" is invalid: [${manages}]`]);
    });

    it('an apply with null leaves what is merged', async () => {
      const named = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'nulls' } };
      await ask('POST', maps, { ...named, metadata: { name: 'nulls', labels: { a: 'b' } }, data: { k: 'v' } });
      const applied = { ...named, metadata: { ...named.metadata, labels: null }, data: null };
      const { code, json } = await ask('PATCH', `${maps}/nulls?fieldManager=m`, applied, { 'content-type': apply });
      expect([code, json.metadata.labels, json['data']]).toEqual([200, { a: 'b' }, { k: 'v' }]);
    });

    it('conflicts of one level come before those below it', async () => {
      const spec = (replicas: number, image: string, minReadySeconds: number): object => ({
        replicas,
        minReadySeconds,
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image }], nodeName: image } },
      });
      const deployments = '/apis/apps/v1/namespaces/default/deployments';
      const body = (content: object): object => ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, spec: content });
      await ask('POST', deployments, body(spec(1, 'i', 1)));
      const [, message] = await refusal('PATCH', `${deployments}/d?fieldManager=m`, body(spec(2, 'j', 2)), { 'content-type': apply });
      expect(message.split('\n- ').slice(1)).toEqual([
        '.spec.minReadySeconds',
        '.spec.replicas',
        '.spec.template.spec.nodeName',
        '.spec.template.spec.containers[name="c"].image',
      ]);
    });
  });

  describe('bodies', () => {
    it.each([
      ['{"kind":1}', 'kind: expected a string, got number'],
      ["{'a':1}", 'invalid JSON at character 1'],
      ['\u0001', 'invalid JSON'],
    ])('%j', async (body, problem) => {
      const shown = body.startsWith('{') ? body : '01';
      expect(await refusal('POST', maps, body)).toEqual([
        400,
        `the object provided is unrecognized (must be of type ConfigMap): ${problem} (${shown})`,
      ]);
    });
  });

  it('parameters of media types are not quoted, and have a value', async () => {
    const codes: number[] = [];
    for (const accept of ['application/json;as=Table;g="meta.k8s.io";v=v1', 'application/json;as'])
      codes.push((await ask('GET', maps, undefined, { accept })).code);
    expect(codes).toEqual([406, 200]);
  });
});
