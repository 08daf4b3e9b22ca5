/** A step of a guide: write a file, run a command, leave one running in a terminal of its own, or open a page in a browser. */
export type GuideStep =
  | { readonly kind: 'write'; readonly line: number; readonly file: string; readonly code: string }
  | { readonly kind: 'run'; readonly line: number; readonly command: string; readonly output?: string }
  | { readonly kind: 'leave'; readonly line: number; readonly command: string; readonly output?: string }
  | { readonly kind: 'open'; readonly line: number; readonly url: string; readonly output: string };

interface Block {
  readonly language: string;
  readonly code: string;
  readonly line: number;
  /** The text between it and the previous block. */
  readonly between: string;
}

const comment = /^(?:\/\/|#|<!--) (\S+\.\w+)(?: -->)?\n/;
const ownTerminal = /^# In a terminal of its own:?\n/;
const opened = /^Open <(\S+)>/m;

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let from = 0;
  for (const match of text.matchAll(/^```(\w*)\n([^]*?)^```$/gm)) {
    const [whole, language = '', code = ''] = match;
    blocks.push({ language, code, line: text.slice(0, match.index).split('\n').length, between: text.slice(from, match.index) });
    from = match.index + whole.length;
  }
  return blocks;
}

/**
 * The steps of a guide. A block whose first line is a comment with a file's name is that file; blocks of `sh` are commands; a block of
 * `text` right after one of those is its output. A block of `text` after a sentence that begins with `Open <http://...>` is the text of
 * that page.
 */
export function stepsOf(text: string): GuideStep[] {
  const blocks = blocksOf(text);
  return blocks.flatMap(({ language, code, line, between }, at): GuideStep[] => {
    const next = blocks[at + 1];
    const output = next?.language === 'text' && next.between.trim() === '' ? { output: next.code } : {};
    const [, url] = opened.exec(between) ?? [];
    if (language === 'text' && url !== undefined) return [{ kind: 'open', line, url, output: code }];
    const [, file] = comment.exec(code) ?? [];
    if (language === 'sh') return [{ kind: ownTerminal.test(code) ? 'leave' : 'run', line, command: code, ...output }];
    if (file === undefined) return [];
    const write: GuideStep = { kind: 'write', line, file, code };
    return 'output' in output ? [write, { kind: 'run', line, command: `npx tsx ${file}\n`, ...output }] : [write];
  });
}
