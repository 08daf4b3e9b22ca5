import { checkOptions, rules } from '../../api/options.js';

/** Options of a real API server. */
export interface RealApiServerOptions {
  /** The folder with the programs etcd and kube-apiserver. @defaultValue `KUBEBUILDER_ASSETS`, else the `PATH` */
  readonly assets?: string | undefined;
  /**
   * Whether to run kube-controller-manager, or which of its controllers: with `['namespace', 'garbagecollector']`, namespaces are drained and dependents deleted with their
   * owners, and nothing else changes objects.
   * @defaultValue false
   */
  readonly controllerManager?: boolean | readonly string[] | undefined;
  /** More arguments for kube-apiserver, for example `['--feature-gates=WatchList=false']`. */
  readonly apiServerArgs?: readonly string[] | undefined;
  /** More arguments for etcd. */
  readonly etcdArgs?: readonly string[] | undefined;
  /**
   * How long each program may take until it serves, in milliseconds.
   * @defaultValue 60000
   */
  readonly startTimeoutMs?: number | undefined;
}

/**
 * Checks options.
 *
 * @throws TypeError that names the option.
 */
export function checkRealApiServerOptions(options: RealApiServerOptions): void {
  checkOptions<RealApiServerOptions>('startRealApiServer', options, {
    assets: rules.nonEmptyString,
    controllerManager: rules.either(rules.boolean, rules.listOf(rules.nonEmptyString, 'names of controllers')),
    apiServerArgs: rules.listOf(rules.nonEmptyString, 'arguments'),
    etcdArgs: rules.listOf(rules.nonEmptyString, 'arguments'),
    startTimeoutMs: rules.durationMs,
  });
}
