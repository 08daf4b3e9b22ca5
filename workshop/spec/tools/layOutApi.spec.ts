import { describe, expect, it } from '@jest/globals';
import { layOutApi } from '../../tools/docs/layOutApi.js';

const fence = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;
const headings = (page: string): readonly string[] => [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title);

describe('a page of the API', () => {
  const one = [
    fence('ts', 'function keep<T>(predicate: (object: T) => boolean, options?: { readonly name?: string }): OperatorFunction<T, T>;'),
    'Keeps what passes.',
    fence('text', 'source  a b'),
    'It drops the rest.',
    '## Type Parameters\n\n| `T` |',
    '## Parameters\n\n| `predicate` | |',
    '## Example',
    fence('ts', 'keep(() => true);'),
  ].join('\n\n');

  it('begins with the sentence and the picture, then an example, and types last', async () => {
    const page = await layOutApi(one, '<figure></figure>');
    expect(page).toMatch(/^Keeps what passes\.\n\n<figure><\/figure>\n\nIt drops the rest\.\n\n## Example\n/);
    expect(headings(page)).toEqual(['Example', 'Signature', 'Parameters', 'Type Parameters']);
  });

  it('keeps marbles of text where there is no picture', async () => {
    expect(await layOutApi(one, '')).toContain('source  a b');
  });

  it('has signatures in lines that fit', async () => {
    const [, code = ''] = /## Signature\n\n```ts\n([^]*?)```/.exec(await layOutApi(one, '')) ?? [];
    expect(Math.max(...code.split('\n').map((line) => line.length))).toBeLessThanOrEqual(72);
    expect(code).toMatch(/^function keep<T>\(\n/);
  });

  it('names each of several ways to call by its parameters', async () => {
    const call = (parameters: readonly string[]): string =>
      ['## Call Signature', fence('ts', `function make(): void;`), `Makes by ${String(parameters.length)}.`]
        .concat(`### Parameters\n\n| Parameter | Type |\n| --- | --- |\n${parameters.map((name) => `| \`${name}\` | x |`).join('\n')}`)
        .join('\n\n');
    const page = await layOutApi(`${call(['client', 'options?'])}\n\n${call(['source'])}`, '');
    expect(page).toMatch(/^Makes by 2\.\n/);
    expect(headings(page).filter((title) => title.startsWith('`'))).toEqual(['`make(client, options?)`', '`make(source)`']);
  });
});
