import type { Command } from 'commander';
import { addConnectionOptions } from './addConnectionOptions.js';

/**
 * Adds the options that say which objects of which server are meant.
 */
export function addSelectionOptions(command: Command): Command {
  return addConnectionOptions(command)
    .option('-n, --namespace <name>', "the namespace; otherwise the context's")
    .option('-A, --all-namespaces', 'all namespaces')
    .option('-l, --selector <selector>', 'a label selector, for example app=web,tier!=cache')
    .option('--field-selector <selector>', 'a field selector, for example status.phase=Running');
}
