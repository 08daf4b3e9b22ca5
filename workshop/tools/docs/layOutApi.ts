import { format, type Options } from 'prettier';

interface Section {
  /** Empty for the text before the first heading. */
  readonly title: string;
  readonly body: string;
}

const fence = /^```(\w*)\n([^]*?)^```$/m;
/** The width of a column on the site that does not scroll. */
const printed: Options = { parser: 'typescript', printWidth: 72, singleQuote: true };

/** The sections of a text, by the headings of one level outside of code. */
function sectionsOf(text: string, level: number): Section[] {
  const sections: { title: string; lines: string[] }[] = [{ title: '', lines: [] }];
  const heading = new RegExp(`^#{${String(level)}} (.+)$`);
  let isCode = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const [, title] = isCode ? [] : (heading.exec(line) ?? []);
    if (title === undefined) sections.at(-1)?.lines.push(line);
    else sections.push({ title, lines: [] });
  }
  return sections.map(({ title, lines }) => ({ title, body: lines.join('\n').trim() }));
}

/** The order of sections: the most important first, type parameters last, unnamed ones before those. */
const order = ['Example', 'Signature', 'Parameters', 'Returns', 'Throws', '', 'See', 'Type Parameters'];

function placeOf(title: string): number {
  const place = order.indexOf(title.replace(/^Examples$/, 'Example'));
  return place < 0 ? order.indexOf('') : place;
}

interface Callable {
  readonly prose: string;
  readonly rest: string;
}

/** Reorders a text that begins with a signature: first the summary and the example, then the signature and its parts. */
function turned(text: string, level: number): Callable {
  const [{ body } = { body: '' }, ...others] = sectionsOf(text, level);
  const [signature] = /^```ts\n[^]*?^```$/m.exec(body) ?? [];
  const isFirst = signature !== undefined && body.startsWith(signature);
  const prose = isFirst ? body.slice(signature.length).trim() : body;
  const sections = [...others, ...(isFirst ? [{ title: 'Signature', body: signature }] : [])];
  const mark = '#'.repeat(level);
  const sorted = sections.map((section, at) => ({ ...section, at })).sort((a, b) => placeOf(a.title) - placeOf(b.title) || a.at - b.at);
  return { prose, rest: sorted.map((section) => `${mark} ${section.title}\n\n${section.body}`).join('\n\n') };
}

/** A call as a heading for one of several overloads: `createInformer(source, options?)`. */
function callOf(section: string): string {
  const [, , code = ''] = fence.exec(section) ?? [];
  const [, name = ''] = /^function (\w+)/.exec(code) ?? [];
  const [, table = ''] = /^### Parameters\n\n((?:\|.*\n?)*)/m.exec(section) ?? [];
  const names = [...table.matchAll(/^\| `(?:\.\.\.)?(\w+\??)` \|/gm)].map(([, parameter]) => parameter);
  return `${name}(${names.join(', ')})`;
}

/** A page of TypeDoc without its title: first the summary, then `picture`, examples and signatures. */
function turnedPage(text: string, picture: string): string {
  const [before, ...sections] = sectionsOf(text, 2);
  const calls = sections.filter(({ title }) => title === 'Call Signature');
  const withPicture = (prose: string): string => {
    const [first = '', ...rest] = picture === '' ? [prose] : prose.replace(/^```text\n[^]*?^```\n*/m, '').split('\n\n');
    return [first, ...(picture === '' ? [] : [picture]), ...rest].join('\n\n');
  };
  if (calls.length === 0) {
    const { prose, rest } = turned(text, 2);
    return `${withPicture(prose)}\n\n${rest}\n`;
  }
  const parts = calls.map(({ body }, at) => {
    const { prose, rest } = turned(body, 3);
    return { prose, text: `## \`${callOf(body)}\`\n\n${at === 0 ? '' : `${prose}\n\n`}${rest}` };
  });
  const others = sections.filter((section) => !calls.includes(section)).map(({ title, body }) => `## ${title}\n\n${body}`);
  const prose = [before?.body ?? '', parts[0]?.prose ?? ''].filter((each) => each !== '').join('\n\n');
  return `${withPicture(prose)}\n\n${[...parts.map((part) => part.text), ...others].join('\n\n')}\n`;
}

/** Wraps a block of code; unchanged if it cannot be parsed alone. */
async function wrapped(code: string): Promise<string> {
  if (code.split('\n').every((line) => line.length <= 72)) return code;
  try {
    return await format(code, printed);
  } catch {
    // Try it as a member of a class or an interface.
    const member = await format(`interface A {\n${code}}\n`, printed).catch(() => undefined);
    return member === undefined
      ? code
      : member
          .split('\n')
          .slice(1, -2)
          .map((line) => `${line.slice(2)}\n`)
          .join('');
  }
}

/** Reorders a page of TypeDoc, without its front matter and title. */
export async function layOutApi(text: string, picture: string): Promise<string> {
  const parts = turnedPage(text, picture).split(/^(```ts\n[^]*?^```)$/m);
  const shown = parts.map(async (part, at) => {
    if (at % 2 === 0) return part;
    return `\`\`\`ts\n${await wrapped(part.slice(6, -3))}\`\`\``;
  });
  return (await Promise.all(shown)).join('');
}
