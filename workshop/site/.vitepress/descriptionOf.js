/** The first sentences of a page for search engines and previews: at most 200 characters, as plain text. */
export function descriptionOf(markdown, title) {
  const paragraphs = markdown
    .replace(/^---\n[^]*?\n---\n/, '')
    .replace(/^```[^]*?^```$/gm, '')
    .split(/\n{2,}/)
    .map((each) => each.trim());
  const first = paragraphs.find((each) => /^[\p{L}`[]/u.test(each)) ?? title;
  const words = first
    .replace(/\[([^\]]*)\]\([^)]*\)(?:\{[^}]*\})?/g, '$1')
    .replace(/<[^>]*>|[`*\\]/g, '')
    .replace(/\s+/g, ' ');
  if (words.length <= 200) return words;
  const sentence = words.slice(0, 200).match(/^.*[.:](?=\s)/)?.[0];
  return sentence ?? `${words.slice(0, 199).replace(/\s+\S*$/, '')}…`;
}
