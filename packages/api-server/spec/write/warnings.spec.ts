import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { warn } from '../../src/write/warnings.js';

const shownOf = (texts: Iterable<string>): readonly string[] => {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  warn(response, texts);
  return (response.getHeader('warning') ?? []) as readonly string[];
};

function* forEver(text: string): Generator<string, never, undefined> {
  for (;;) yield text;
}

describe('warn', () => {
  it('asks for no more than 4,096 characters of warnings have room for', () => {
    expect(shownOf(forEver('w'.repeat(300)))).toEqual(Array.from({ length: 16 }, () => `299 - "${'w'.repeat(256)}"`));
    expect(shownOf(forEver('w'.repeat(100)))).toHaveLength(40);
  });

  it('shortens none that fit together', () => {
    expect(shownOf(['w'.repeat(4_000), 'x'])).toEqual([`299 - "${'w'.repeat(4_000)}"`, '299 - "x"']);
    expect(shownOf([])).toEqual([]);
  });
});
