import { runCli } from './runCli.js';
import { processTerminal } from './terminal.js';

void runCli(process.argv.slice(2), processTerminal).then((exitCode) => {
  process.exitCode = exitCode;
});
