import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { pageHtml, pageScript, pageStyle } from '../src/pageFiles.js';
import { pageModule } from '../../../workshop/tools/inspectorPage.js';

describe('the page of the inspector', () => {
  it('is made of its sources: after a change of them, `npm run inspector-page`', async () => {
    expect(await readFile(new URL('../src/pageFiles.ts', import.meta.url), 'utf8')).toBe(await pageModule());
  });

  it('takes 12 kB at most, of 100, compressed', () => {
    expect(gzipSync([pageHtml, pageStyle, pageScript].join('')).length).toBeLessThan(12_000);
  });

  it('asks nobody else, and runs no text', () => {
    const all = [pageHtml, pageStyle, pageScript].join('').replaceAll('http://www.w3.org/2000/svg', '');
    for (const text of ['http:', 'https:', 'eval(', 'new Function', 'innerHTML', 'insertAdjacentHTML', '@import', 'url('])
      expect(all.includes(text)).toBe(false);
  });
});
