import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { entriesOf, folderOf, type House } from './houses.js';

/** All files that the entries of a package reach, types included. */
async function reached(house: House): Promise<string[]> {
  const { config } = ts.readConfigFile(join(folderOf('root'), 'tsconfig.json'), (file) => ts.sys.readFile(file)) as {
    readonly config: unknown;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, folderOf('root'));
  const source = join(folderOf(house), 'src/');
  const found = new Set(entriesOf(house).map((entry) => entry.source));
  for (const file of found) {
    const { importedFiles } = ts.preProcessFile(await readFile(file, 'utf8'), true, true);
    for (const { fileName } of importedFiles) {
      if (!fileName.startsWith('.')) continue;
      const at = ts.resolveModuleName(fileName, file, options, ts.sys, undefined, undefined, ts.ModuleKind.ESNext).resolvedModule;
      if (at?.resolvedFileName.startsWith(source) === true) found.add(at.resolvedFileName);
    }
  }
  return [...found];
}

/** Writes the declarations of a package. Each file has its own, since the sources say the types of what they export. */
export async function declarations(house: House, formats: readonly ('esm' | 'cjs')[]): Promise<void> {
  const folder = folderOf(house);
  for (const file of await reached(house)) {
    const { outputText } = ts.transpileDeclaration(await readFile(file, 'utf8'), {
      fileName: file,
      compilerOptions: { target: ts.ScriptTarget.ES2022, stripInternal: true, isolatedDeclarations: true, verbatimModuleSyntax: true },
    });
    for (const format of formats) {
      const target = join(folder, 'dist', format, relative(join(folder, 'src'), file)).replace(/\.tsx?$/, '.d.ts');
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, outputText);
    }
  }
}
