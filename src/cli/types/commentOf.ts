import { printable } from '../output/printable.js';

const width = 120;

/** The words of a text in lines that are not too long. */
function wrap(text: string, room: number): string[] {
  const line = new RegExp(`\\S.{0,${String(room - 1)}}(?= |$)|\\S+`, 'g');
  return text
    .trim()
    .split(/\r?\n/)
    .flatMap((paragraph) => paragraph.trim().replace(/\s+/g, ' ').match(line) ?? ['']);
}

/** A text as a comment before what it describes, with a newline at its end; nothing for no text. It ends where it should, whatever the text is. */
export function commentOf(text: string, indent: string): string {
  if (text.trim() === '') return '';
  const lines = wrap(text, width - indent.length - 3).map((line) => printable(line).replaceAll('*/', '*\\/'));
  const [only = ''] = lines;
  if (lines.length === 1 && only.length <= width - indent.length - 7) return `${indent}/** ${only} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd() + '\n').join('')}${indent} */\n`;
}
