import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';

const isOptions = (name: string): boolean => /(Options|Limits|Config)$/.test(name);

function acceptsUndefined(type: ts.TypeNode): boolean {
  return ts.isUnionTypeNode(type) ? type.types.some(acceptsUndefined) : type.kind === ts.SyntaxKind.UndefinedKeyword;
}

/** The optional fields of the exported options of a source file that do not accept `undefined`. */
function strictFields(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node, owner: string): void => {
    if (ts.isPropertySignature(node) && node.questionToken !== undefined && node.type !== undefined && !acceptsUndefined(node.type))
      found.push(`${owner}.${node.name.getText(source)}`);
    ts.forEachChild(node, (child) => visit(child, owner));
  };
  for (const statement of source.statements) {
    const isDeclared = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
    const isExported = isDeclared && statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
    if (isExported && isOptions(statement.name.text)) visit(statement, statement.name.text);
  }
  return found;
}

describe('the optional fields of options', () => {
  it('accept undefined, so that one object of options can be made of another', () => {
    const folders = ['src', ...readdirSync('packages').map((name) => `packages/${name}/src`)].filter((folder) => existsSync(folder));
    const files = folders
      .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`))
      .filter((file) => /^(?!src\/api\/kubernetes\/).*\.tsx?$/.test(file));
    expect(files.length).toBeGreaterThan(300);
    const texts = files
      .map((file) => [file, readFileSync(file, 'utf8')] as const)
      .filter(([, text]) => /^export (interface|type) \w+(Options|Limits|Config)\b/m.test(text));
    expect(texts.flatMap(([file, text]) => strictFields(file, text))).toEqual([]);
  });

  it('are found, also inside others', () => {
    const text = 'export interface AOptions { a?: string; b?: { c?: number } | undefined; d?: (() => void) | undefined; e: 1 }';
    expect(strictFields('a.ts', text)).toEqual(['AOptions.a', 'AOptions.c']);
  });
});
