/** An operator that has a picture: its name, and the comment above its function. */
export interface PicturedOperator {
  readonly name: string;
  readonly comment: string;
}

/** The first sentence of a comment, as the end of a line of the page: without a capital letter and a full stop. */
function sentenceOf(comment: string): string {
  const text = comment.replace(/^\s*\/?\*+\/?/gm, '').trim();
  const [sentence = ''] = /^[^]*?\.(?=\s|$)/.exec(text) ?? [];
  const line = sentence.replace(/\s+/g, ' ').replace(/\.$/, '');
  return line.charAt(0).toLowerCase() + line.slice(1);
}

/** Completes the page of choices: operators that it does not name are listed with what their comments say. */
export function chooseOperators(page: string, operators: readonly PicturedOperator[]): string {
  const missing = operators.filter(({ name }) => !page.includes(`[\`${name}\`]`));
  const lines = missing.map(({ name, comment }) => `- ${sentenceOf(comment)}: [\`${name}\`](/api/rx-informer/${name})`);
  if (lines.length === 0) return page;
  const more = `<details><summary>something else</summary>\n\n${lines.join('\n')}\n\n</details>\n\n`;
  // At the end of the first question, which is about one kind of object.
  return page.replace(/(<\/details>\n\n)(?=<\/details>)/, `$1${more}`);
}
