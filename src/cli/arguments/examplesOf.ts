/**
 * The examples of a command, as they stand below its help.
 */
export function examplesOf(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  rx-informer ${line}\n`).join('')}`;
}
