import { column, parseJsonPath, type TableColumn } from '@rx-informer/api-server/internal';
import { InvalidArgumentError } from 'commander';
import { similarTo } from 'rx-informer/internal';
import { type EventFormat, objectFormats, ofObjects } from './objectFormats.js';
import { printable } from './printable.js';

/** The parsed value of `-o`: a table with columns, or text for each event. */
export type Output =
  | {
      readonly type: 'table';
      /** The columns to show, of all columns of a kind. */
      columnsOf(all: readonly TableColumn[]): readonly TableColumn[];
      /** The columns of the wide table, which the user can switch to. */
      allColumnsOf(all: readonly TableColumn[]): readonly TableColumn[];
    }
  | { readonly type: 'text'; readonly format: EventFormat };

/** The formats of `-o`. */
export const formatNames: readonly string[] = [
  'table',
  'wide',
  'diff',
  'json',
  'yaml',
  'name',
  'events',
  'jsonpath=TEMPLATE',
  'custom-columns=HEADER:PATH,...',
];

type Part = (object: unknown) => string;

const jsonOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** `{.path}` or `{"text"}`. */
function braced(content: string, separator: string): Part {
  const inner = content.trim();
  if (/^(range|end)\b/.test(inner)) throw new TypeError('Expected a template without range, as it is used once for each object');
  if (/^(".*"|'.*')$/.test(inner)) {
    const text = String(JSON.parse(`"${inner.slice(1, -1).replace(/\\'/g, "'").replace(/\\?"/g, '\\"')}"`));
    return () => text;
  }
  const bare = inner.replace(/^[$@]/, '');
  const select = parseJsonPath(bare === '' || /^[.[]/.test(bare) ? bare : `.${bare}`);
  return (object) => printable(select(object).map(jsonOf).join(separator));
}

/**
 * Parses a template such as `{.metadata.name}{"\\t"}{.status.phase}`. A text without braces is one path. Several values at a path have the separator between them.
 *
 * The values at the paths are made printable; the text of the template is not changed.
 *
 * @throws TypeError when a path is invalid.
 */
function parseTemplate(template: string, separator: string = ' '): (object: unknown) => string {
  if (!template.includes('{')) return braced(template, separator);
  const parts = [...template.matchAll(/\{((?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^{}"])*)\}|([^{}]+)|([{}])/g)].map(
    ([, content, text, stray]): Part => {
      if (stray !== undefined) throw new TypeError(`Expected every brace to be closed, got ${JSON.stringify(template)}`);
      return content === undefined ? () => text ?? '' : braced(content, separator);
    },
  );
  return (object) => parts.map((part) => part(object)).join('');
}

function customColumns(text: string): readonly TableColumn[] {
  return text.split(/,(?=[^,:[\]]+:)/).map((part) => {
    const [, name, path] = /^([^:]+):(.+)$/.exec(part) ?? [];
    if (name === undefined || path === undefined) throw new TypeError(`Expected HEADER:PATH, got ${JSON.stringify(part)}`);
    const textOf = parseTemplate(path, ',');
    return column(name, (object) => textOf(object) || '<none>');
  });
}

function textFormat(template: string): EventFormat {
  const textOf = parseTemplate(template);
  return ofObjects(({ object }) => textOf(object).replace(/\n?$/, '\n'));
}

function outputOf(text: string): Output {
  const at = text.indexOf('=');
  const [name, argument] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  if (at < 0 && text === 'table')
    return {
      type: 'table',
      columnsOf: (all) => all.filter(({ priority }) => priority === 0),
      allColumnsOf: (all) => all,
    };
  if (at < 0 && text === 'wide') return { type: 'table', columnsOf: (all) => all, allColumnsOf: (all) => all };
  if (at < 0 && Object.hasOwn(objectFormats, text)) return { type: 'text', format: objectFormats[text as keyof typeof objectFormats] };
  if (name === 'jsonpath' && argument !== '') return { type: 'text', format: textFormat(argument) };
  if (name === 'custom-columns' && argument !== '') {
    const columns = customColumns(argument);
    return { type: 'table', columnsOf: () => columns, allColumnsOf: () => columns };
  }
  const withArgument = formatNames.find((format) => format.startsWith(`${name}=`));
  if (withArgument !== undefined) throw new TypeError(`expected ${withArgument}`);
  const suggestion = similarTo(
    name,
    formatNames.map((format) => format.replace(/=.*/, '')),
  );
  throw new TypeError(`expected one of ${formatNames.join(', ')}${suggestion}`);
}

/** Parses a value of `-o`. Throws an InvalidArgumentError for an unknown one. */
export function parseOutput(text: string): Output {
  try {
    return outputOf(text);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}
