const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => escapes[character] ?? character);
}

const words =
  'import|export|from|const|let|function|return|async|await|type|interface|class|new|if|else|for|of|in|while|switch|case|break|throw|try|catch|finally|yield|readonly|declare|extends|implements';

/** Code as HTML with marked comments, strings and keywords. */
export function highlight(code: string): string {
  const tokens = new RegExp(`(//.*|/\\*[^]*?\\*/)|('(?:\\\\.|[^'\\\\\\n])*'|\`(?:\\\\.|[^\`\\\\])*\`)|\\b(?:${words})\\b`, 'g');
  let html = '';
  let at = 0;
  for (const match of code.matchAll(tokens)) {
    const [text, comment, string] = match;
    const kind = comment !== undefined ? 'c' : string !== undefined ? 's' : 'k';
    html += `${escapeHtml(code.slice(at, match.index))}<span class="${kind}">${escapeHtml(text)}</span>`;
    at = match.index + text.length;
  }
  return html + escapeHtml(code.slice(at));
}
