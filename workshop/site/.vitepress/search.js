const fences = /^ *```[^]*?^ *```$/gm;

/**
 * Adds words with a hyphen as one word: `in-cluster` is found as such, and not only by `cluster`. VitePress sends the function to the
 * browser as text, so it must not refer to anything else.
 */
export function wordsOf(text) {
  const joined = [...text.matchAll(/\p{L}+(?:-\p{L}+)+/gu)].map(([word]) => word.replaceAll('-', ''));
  return [...text.split(/[\n\r\p{Z}\p{P}]+/u), ...joined];
}

/**
 * Splits names into words, so that `filter` finds `filterObjects`; drops stop words and endings. VitePress sends the function to the
 * browser as text, so it must not refer to anything else.
 */
export function termsOf(term) {
  const stop = [
    'a',
    'an',
    'the',
    'how',
    'to',
    'do',
    'does',
    'i',
    'my',
    'of',
    'in',
    'is',
    'are',
    'with',
    'what',
    'should',
    'take',
    'use',
    'need',
    'want',
    'when',
    'can',
    'for',
    'from',
    'and',
    'or',
    'on',
    'by',
    'be',
    'it',
    'that',
    'this',
    'where',
    'there',
    'one',
    'only',
    'some',
  ];
  const stem = (word) => (word.length > 4 ? word.replace(/(?:ings?|ers?|ed|es|s|e)$/, '') : word);
  const lower = term.toLowerCase();
  if (stop.includes(lower)) return null;
  const parts = term.split(/(?<=[a-z])(?=[A-Z])/).map((part) => part.toLowerCase());
  const words = [lower, ...(parts.length > 1 ? parts : [])].filter((word) => !stop.includes(word));
  return [...new Set(words.map(stem))];
}

/** Guides rank before functions, functions before types and pages for contributors. Sent as text, like the above. */
export const searchOptions = {
  boost: { title: 4, text: 2, titles: 1 },
  prefix: (term) => term.length > 2,
  fuzzy: (term) => (term.length > 4 ? 0.15 : false),
  boostDocument: (id) => (/\/api\/[^#]*\/[A-Z]/.test(id) ? 0.3 : id.includes('/project/') ? 0.5 : id.includes('/api/') ? 0.65 : 1),
};

/** The search words in the front matter of a page count more than other words in it. */
function weighed(words = '') {
  return `${words} `.repeat(12);
}

/** The indexed text of a page: without code, and with the search words of its front matter. */
export function indexedHtml(src, env, md) {
  const isApi = env.relativePath.startsWith('api/');
  const prose = src.replace(fences, '').replace(/<figure[^]*?<\/figure>/g, '');
  if (!isApi) {
    const html = md.render(prose, env);
    if (env.frontmatter?.search === false) return '';
    return html.replace(/<\/h1>/, `</h1><p>${weighed(env.frontmatter?.words)}</p>`);
  }
  const [, front = '', text = ''] = /^---\n([^]*?)\n---\n([^]*)$/.exec(prose) ?? ['', '', prose];
  const [, title = ''] = /^# (.+)$/m.exec(text) ?? [];
  const [, words = ''] = /^words: "(.*)"$/m.exec(front) ?? [];
  const name = title.replace(/[\\`]|\(\)|<.*/g, '');
  // Of the names in it only those that readers search for, since a page of the API is a single result.
  const plain = text
    .replace(/^# .+$/m, '')
    .replace(/^<p class="import">.*$/m, '')
    .replace(/^#+ (?:Type Parameters|Parameters|Returns|Throws|Example|See|Signature|Properties|Methods|Extends|Inherited from)$/gm, '')
    .replace(/^>.*$/gm, '')
    .replace(/\]\([^)]*\)/g, ' ')
    .replace(/[\\`*_#[\]<>|&]/g, ' ');
  return `<h1 id="${name}">${name} <a class="header-anchor" href="#${name.toLowerCase()}">#</a></h1><p>${weighed(words)}</p><p>${plain}</p>`;
}
