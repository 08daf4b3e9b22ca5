import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTarget, type Target } from '../support/target.js';

const odd = ['__proto__', 'constructor', 'hasOwnProperty', 'toString', '__defineGetter__'];

/** The fields of an object as they are stored: `toEqual` ignores `__proto__`. */
function dataOf(text: string): readonly (readonly [string, unknown])[] {
  const { data } = JSON.parse(text) as { readonly data: object };
  return Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1));
}

describe('names that objects of JavaScript have', () => {
  let target: Target;
  let path: string;
  beforeAll(async () => {
    target = await openTarget();
    path = `/api/v1/namespaces/${await target.namespace()}/configmaps`;
  });
  afterAll(() => target.close());

  const send = async (method: string, to: string, type: string, body: string): Promise<string> => {
    const { code, text } = await target.request(to, { method, headers: { 'content-type': type }, body });
    expect([code, text]).toEqual([expect.any(Number), expect.any(String)]);
    expect(code).toBeLessThan(300);
    return text;
  };

  describe.each(odd)('%s', (name) => {
    const object = `odd-${odd.indexOf(name).toString()}`;
    const own = (value: string): string => `"${name}":${value}`;

    it('is kept as a name of data in a JSON body, and read back', async () => {
      const created = await send('POST', path, 'application/json', `{"metadata":{"name":"${object}"},"data":{${own('"1"')},"b":"1"}}`);
      expect(dataOf(created)).toEqual(
        [
          [name, '1'],
          ['b', '1'],
        ].sort(),
      );
      expect(dataOf((await target.request(`${path}/${object}`)).text)).toEqual(dataOf(created));
    });

    it('is kept in a YAML body', async () => {
      const created = await send('POST', path, 'application/yaml', `metadata:\n  name: ${object}-yaml\ndata:\n  ${name}: "1"\n`);
      expect(dataOf(created)).toEqual([[name, '1']]);
    });

    it.each(['application/merge-patch+json', 'application/strategic-merge-patch+json'])(
      'is set and removed by a patch of %s',
      async (type) => {
        const to = `${path}/${object}`;
        expect(dataOf(await send('PATCH', to, type, `{"data":{${own('"2"')}}}`))).toEqual(
          [
            [name, '2'],
            ['b', '1'],
          ].sort(),
        );
        expect(dataOf(await send('PATCH', to, type, `{"data":{${own('null')}}}`))).toEqual([['b', '1']]);
        expect(dataOf(await send('PATCH', to, type, `{"data":{${own('"1"')}}}`))).toEqual(
          [
            [name, '1'],
            ['b', '1'],
          ].sort(),
        );
      },
    );

    it('is set and removed by a JSON patch', async () => {
      const [to, type] = [`${path}/${object}`, 'application/json-patch+json'];
      expect(dataOf(await send('PATCH', to, type, `[{"op":"replace","path":"/data/${name}","value":"3"}]`))).toEqual(
        [
          [name, '3'],
          ['b', '1'],
        ].sort(),
      );
      expect(dataOf(await send('PATCH', to, type, `[{"op":"remove","path":"/data/${name}"}]`))).toEqual([['b', '1']]);
    });

    it('is owned by whoever applies it, and gone when it is applied no more', async () => {
      const [to, type] = [`${path}/${object}-applied?fieldManager=m`, 'application/apply-patch+yaml'];
      const configuration = (data: string): string =>
        `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${object}-applied"},"data":{${data}}}`;
      const applied = await send('PATCH', to, type, configuration(`${own('"1"')},"b":"1"`));
      expect(dataOf(applied)).toEqual(
        [
          [name, '1'],
          ['b', '1'],
        ].sort(),
      );
      expect(applied).toContain(`"f:${name}":{}`);
      const after = await send('PATCH', to, type, configuration('"b":"1"'));
      expect(dataOf(after)).toEqual([['b', '1']]);
      expect(after).not.toContain(`"f:${name}":{}`);
    });
  });
});
