import type { Command } from 'commander';

/**
 * Adds the options that say which server to talk to.
 */
export function addConnectionOptions(command: Command): Command {
  return command
    .option('--kubeconfig <file>', 'the kubeconfig file; otherwise $KUBECONFIG, ~/.kube/config or the cluster this runs in')
    .option('--context <name>', 'the context of the kubeconfig')
    .option('--server <url>', 'an API server that needs no credentials; no kubeconfig is read');
}
