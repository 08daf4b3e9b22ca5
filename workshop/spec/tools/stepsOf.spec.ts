import { describe, expect, it } from '@jest/globals';
import { stepsOf } from '../../tools/guides/stepsOf.js';

const block = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\`\n`;

describe('the steps of a guide', () => {
  it('are its files, its commands with what they print, and what is left running', () => {
    const page = [
      block('ts', '// a.ts\nlet a;'),
      block('text', 'printed'),
      block('html', '<!-- a.html -->\n<p>'),
      block('sh', '# In a terminal of its own:\nserve'),
      block('text', 'ready'),
      block('sh', 'ls'),
      block('ts', 'no.file();'),
    ].join('\n');
    expect(stepsOf(page).map(({ line: _, ...step }) => step)).toEqual([
      { kind: 'write', file: 'a.ts', code: '// a.ts\nlet a;\n' },
      { kind: 'run', command: 'npx tsx a.ts\n', output: 'printed\n' },
      { kind: 'write', file: 'a.html', code: '<!-- a.html -->\n<p>\n' },
      { kind: 'leave', command: '# In a terminal of its own:\nserve\n', output: 'ready\n' },
      { kind: 'run', command: 'ls\n' },
    ]);
  });

  it('are pages that are opened, with what they show', () => {
    expect(stepsOf(`Open <http://127.0.0.1:1>. It shows:\n\n${block('text', 'live')}`)).toEqual([
      { kind: 'open', line: 3, url: 'http://127.0.0.1:1', output: 'live\n' },
    ]);
  });
});
