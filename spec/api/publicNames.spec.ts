import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';

/** The declarations of the exports in reports of the public surface. */
function declarationsIn(reports: readonly string[]): readonly ts.Statement[] {
  return reports.flatMap((report) =>
    [...report.replace(/^## Named by these[\s\S]*/m, '').matchAll(/```ts\n([\s\S]*?)\n```/g)].flatMap(([, text = '']) => [
      ...ts.createSourceFile('report.ts', text, ts.ScriptTarget.Latest, true).statements,
    ]),
  );
}

const inFolder = (folder: string): readonly string[] => readdirSync(folder).map((file) => readFileSync(`${folder}/${file}`, 'utf8'));

const durations = new Set('seconds minutes millis timeout interval period delay duration deadline age after within'.split(' '));
const lastWord = (name: string): string => (name.split(/(?=[A-Z])/).at(-1) ?? '').toLowerCase();

/** Numbers that are durations by their name, and do not say that they are milliseconds. */
function unnamedDurations(declarations: readonly ts.Statement[], isOfKubernetes: (name: string) => boolean): string[] {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (
      (ts.isPropertySignature(node) || ts.isParameter(node) || ts.isPropertyDeclaration(node)) &&
      /^number\b/.test(node.type?.getText() ?? '')
    ) {
      const name = node.name.getText();
      if (durations.has(lastWord(name)) && !isOfKubernetes(name)) found.add(name);
    }
    ts.forEachChild(node, visit);
  };
  declarations.forEach(visit);
  return [...found];
}

/**
 * Functions that do not do what the first word of their name promises: `create` returns an object at once; `start` resolves once the object
 * runs, and the object can be stopped.
 */
function wrongVerbs(declarations: readonly ts.Statement[]): string[] {
  const ends = /^(stop|close)$|asyncDispose|dispose/;
  const membersOf = (name: string): readonly string[] =>
    declarations.flatMap((one) => {
      if (!ts.isInterfaceDeclaration(one) || one.name.text !== name) return [];
      const inherited = (one.heritageClauses ?? []).flatMap(({ types }) =>
        types.flatMap(({ expression }) => membersOf(expression.getText())),
      );
      return [...one.members.map((member) => member.name?.getText() ?? ''), ...inherited];
    });
  return declarations.flatMap((one) => {
    if (!ts.isFunctionDeclaration(one) || one.name === undefined) return [];
    const name = one.name.text;
    const made = one.type?.getText() ?? '';
    const [, started] = /^Promise<(\w+)>$/.exec(made) ?? [];
    if (/^create[A-Z]/.test(name)) return made.startsWith('Promise<') ? [name] : [];
    return /^start[A-Z]/.test(name) && !(started !== undefined && membersOf(started).some((member) => ends.test(member))) ? [name] : [];
  });
}

/** Optional fields of options that are declared where they are taken, and do not accept `undefined`. */
function strictInlineOptions(declarations: readonly ts.Statement[]): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isParameter(node) && node.type !== undefined && ts.isTypeLiteralNode(node.type) && /options$/i.test(node.name.getText()))
      for (const member of node.type.members)
        if (ts.isPropertySignature(member) && member.questionToken !== undefined && !/\bundefined\b/.test(member.type?.getText() ?? ''))
          found.push(member.getText());
    ts.forEachChild(node, visit);
  };
  declarations.forEach(visit);
  return found;
}

describe('public names', () => {
  const declarations = declarationsIn(inFolder('workshop/api'));

  it('end in Ms where they are durations, but for those of Kubernetes', () => {
    const ofKubernetes = [
      ...inFolder('src/api/kubernetes'),
      ...inFolder('src/api/errors'),
      readFileSync('src/api/kubernetesObject.ts', 'utf8'),
    ];
    const isOfKubernetes = (name: string): boolean => ofKubernetes.some((text) => new RegExp(`\\b${name}\\??:`).test(text));
    expect(unnamedDurations(declarations, isOfKubernetes)).toEqual([]);
    const [wrong] = [
      declarationsIn(['```ts\ninterface A { timeout?: number | undefined; waitMs: number; maxAge: string; graceSeconds: number }\n```']),
    ];
    expect(unnamedDurations(wrong, (name) => name === 'graceSeconds')).toEqual(['timeout']);
  });

  it('accept undefined for optional fields of options that are declared in a parameter', () => {
    expect(strictInlineOptions(declarations)).toEqual([]);
    const wrong = declarationsIn(['```ts\nfunction f(options?: { a?: string; b?: string | undefined }): void;\n```']);
    expect(strictInlineOptions(wrong)).toEqual(['a?: string;']);
  });

  it('begin with `create` where something is made, and with `start` where it runs', () => {
    expect(wrongVerbs(declarations)).toEqual([]);
    const wrong = [
      'interface Runs { stop(): void }',
      'interface Server extends Runs { readonly url: string }',
      'function createSlowly(): Promise<Server>;',
      'function startNow(): Server;',
      'function startNothing(): Promise<Plain>;',
      'function startServer(): Promise<Server>;',
    ];
    expect(wrongVerbs(declarationsIn([`\`\`\`ts\n${wrong.join('\n')}\n\`\`\``]))).toEqual(['createSlowly', 'startNow', 'startNothing']);
  });
});
