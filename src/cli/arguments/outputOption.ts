import { Option } from 'commander';
import { parseOutput } from '../output/parseOutput.js';

const formats = 'table, wide, diff, json, yaml, name, events, jsonpath=TEMPLATE or custom-columns=HEADER:PATH,...';

/**
 * The option that says what to print of each object.
 */
export function outputOption(): Option {
  return new Option('-o, --output <format>', `what to print: ${formats}`).argParser(parseOutput).default(parseOutput('table'), 'table');
}
