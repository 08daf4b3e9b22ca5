/** Inline code, as HTML: a line may end behind a dot, a bracket or a slash of a long word, but not inside of an option. */
export function breakable(html) {
  return html.replace(/(<code[^>]*>)([^]*)(<\/code>)/, (_, open, text, close) => {
    const words = text.split(' ').map((word) => {
      if (/^-/.test(word)) return `<span class="option">${word}</span>`;
      return word.length < 16
        ? word
        : word.replace(/(?<=\w)([.(/,=[{]+)(?=[\w'"])/g, '$1<wbr>').replace(/(?<=[a-z]{3})(?=[A-Z][a-z]{3})/g, '<wbr>');
    });
    return `${open}${words.join(' ')}${close}`;
  });
}
