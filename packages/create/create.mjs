#!/usr/bin/env node
// npm create rx-informer my-operator
import { parseArgs } from 'node:util';
import { createOperator, UsageError } from './starter.mjs';

const usage = `Usage: npm create rx-informer <folder>

Scaffolds an operator in a new folder, which gives it its name.

  --rx-informer <version>   the version of rx-informer, or a folder with the tarballs of its packages
  --template <name>         what runs the tests: node (by default), vitest or jest
  --help                    print this
`;

try {
  const options = {
    'rx-informer': { type: 'string' },
    template: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [folder] = positionals;
  if (values.help) {
    console.log(usage);
  } else {
    if (folder === undefined || positionals.length > 1)
      throw new UsageError(`expected one folder, got ${positionals.length === 0 ? 'none' : positionals.join(' ')}`);
    console.log(createOperator(folder, { rxInformer: values['rx-informer'], template: values.template }));
  }
} catch (error) {
  const isUsage = error instanceof UsageError || String(error.code).startsWith('ERR_PARSE_ARGS');
  console.error(isUsage ? `create-rx-informer: ${error.message}` : error);
  process.exitCode = isUsage ? 2 : 1;
}
