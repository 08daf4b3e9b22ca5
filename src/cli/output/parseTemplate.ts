import { parseJsonPath } from '../../testing/server/tables/jsonPath.js';
import { printable } from './printable.js';

type Part = (object: unknown) => string;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** `{.path}` or `{"text"}`. */
function braced(content: string): Part {
  const inner = content.trim();
  if (/^(range|end)\b/.test(inner)) throw new TypeError('Expected a template without range, as it is used once for each object');
  if (/^".*"$/.test(inner)) {
    const text = String(JSON.parse(inner));
    return () => text;
  }
  const bare = inner.replace(/^[$@]/, '');
  const select = parseJsonPath(bare === '' || /^[.[]/.test(bare) ? bare : `.${bare}`);
  return (object) => printable(select(object).map(textOf).join(' '));
}

/**
 * Parses a template such as `{.metadata.name}{"\\t"}{.status.phase}`. A text without braces is one path.
 *
 * What the paths find is made printable; the text of the template stays as it is.
 *
 * @throws TypeError when a path is of another form.
 */
export function parseTemplate(template: string): (object: unknown) => string {
  if (!template.includes('{')) return braced(template);
  const parts = [...template.matchAll(/\{((?:"(?:[^"\\]|\\.)*"|[^{}"])*)\}|([^{}]+)|([{}])/g)].map(([, content, text, stray]): Part => {
    if (stray !== undefined) throw new TypeError(`Expected every brace to be closed, got ${JSON.stringify(template)}`);
    return content === undefined ? () => text ?? '' : braced(content);
  });
  return (object) => parts.map((part) => part(object)).join('');
}
