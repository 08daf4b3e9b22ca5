const entities = /&\w+;/g;

/** Inserts places for a line break into code: after a dot, a bracket or a slash, and on narrow screens also inside names. */
function withBreaks(word) {
  if (/^-/.test(word)) return `<span class="option">${word}</span>`;
  if (word.length < 16) return word;
  return word.replace(/(?<=\w)([.(/,=[{]+)(?=[\w'"])/g, '$1<wbr>').replace(/(?<=[a-z]{3})(?=[A-Z][a-z]{3})/g, '<wbr class="inside">');
}

/** Inline code as HTML with places for line breaks. Code that is longer than a column is marked. */
export function breakable(html) {
  return html.replace(/<code([^>]*>)([^]*)(<\/code>)/, (_, open, text, close) => {
    const isLong = text.replace(entities, '.').length > 30;
    return `<code${isLong ? ' class="long"' : ''}${open}${text.split(' ').map(withBreaks).join(' ')}${close}`;
  });
}
