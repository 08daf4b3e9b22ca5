/** What a reader of a guide does: writes a file, runs a command, or leaves one running in a terminal of its own. */
export type GuideStep =
  | { readonly kind: 'write'; readonly line: number; readonly file: string; readonly code: string }
  | { readonly kind: 'run'; readonly line: number; readonly command: string; readonly output?: string }
  | { readonly kind: 'leave'; readonly line: number; readonly command: string };

interface Block {
  readonly language: string;
  readonly code: string;
  readonly line: number;
  /** Whether nothing but empty lines stands between it and the block before. */
  readonly follows: boolean;
}

const comment = /^(?:\/\/|#) (\S+\.\w+)\n/;
const ownTerminal = /^# In a terminal of its own:?\n/;

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let from = 0;
  for (const match of text.matchAll(/^```(\w*)\n([^]*?)^```$/gm)) {
    const [whole, language = '', code = ''] = match;
    const between = text.slice(from, match.index);
    blocks.push({ language, code, line: text.slice(0, match.index).split('\n').length, follows: from > 0 && between.trim() === '' });
    from = match.index + whole.length;
  }
  return blocks;
}

/**
 * The steps of a guide. A block whose first line is a comment with a file's name is that file; blocks of `sh` are commands; a block of `text` right behind
 * one of those is what it prints.
 */
export function stepsOf(text: string): GuideStep[] {
  const blocks = blocksOf(text);
  return blocks.flatMap(({ language, code, line }, at): GuideStep[] => {
    const next = blocks[at + 1];
    const output = next?.language === 'text' && next.follows ? { output: next.code } : {};
    const [, file] = comment.exec(code) ?? [];
    if (language === 'sh')
      return [ownTerminal.test(code) ? { kind: 'leave', line, command: code } : { kind: 'run', line, command: code, ...output }];
    if (file === undefined) return [];
    const write: GuideStep = { kind: 'write', line, file, code };
    return 'output' in output ? [write, { kind: 'run', line, command: `npx tsx ${file}\n`, ...output }] : [write];
  });
}
