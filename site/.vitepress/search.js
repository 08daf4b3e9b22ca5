const fences = /^ *```[^]*?^ *```$/gm;

/** A word with a hyphen is also found as one, `in-cluster` by itself and not by `cluster` alone. Sent as text: it must be complete. */
export function wordsOf(text) {
  const joined = [...text.matchAll(/\p{L}+(?:-\p{L}+)+/gu)].map(([word]) => word.replaceAll('-', ''));
  return [...text.split(/[\n\r\p{Z}\p{P}]+/u), ...joined];
}

/** The words of names are found one by one, too, `filterObjects` by `filter`; words of every question are none, and endings do not matter. VitePress sends it to the browser as text: it must be complete. */
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

/** A page of a type is seldom what is asked for: functions and guides come first. Sent as text, like the above. */
export const searchOptions = {
  boost: { title: 4, text: 2, titles: 1 },
  prefix: (term) => term.length > 2,
  fuzzy: (term) => (term.length > 4 ? 0.15 : false),
  boostDocument: (id) => (/\/api\/[^#]*\/[A-Z]/.test(id) ? 0.3 : 1),
};

/** The words by which readers ask for a page count more than those that it happens to contain. */
function weighed(words = '') {
  return `${words} `.repeat(12);
}

/** What the search knows of a page: no code, and the words of its front matter. */
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
  // Of its names, only those that a reader would ask for: a page of the API is one answer.
  const plain = text
    .replace(/^# .+$/m, '')
    .replace(/^<p class="import">.*$/m, '')
    .replace(/^#+ (?:Type Parameters|Parameters|Returns|Throws|Example|See|Signature|Properties|Methods|Extends|Inherited from)$/gm, '')
    .replace(/^>.*$/gm, '')
    .replace(/\]\([^)]*\)/g, ' ')
    .replace(/[\\`*_#[\]<>|&]/g, ' ');
  return `<h1 id="${name}">${name} <a class="header-anchor" href="#${name.toLowerCase()}">#</a></h1><p>${weighed(words)}</p><p>${plain}</p>`;
}
