/** Options of a real API server. */
export interface RealApiServerOptions {
  /** The folder with the programs etcd and kube-apiserver. @defaultValue `KUBEBUILDER_ASSETS`, else the `PATH` */
  readonly assets?: string | undefined;
  /**
   * Whether to run kube-controller-manager, or a list of its controllers. With `['namespace', 'garbagecollector']`, contents of deleted
   * namespaces and dependents of deleted owners are deleted, and no other controller runs.
   * @defaultValue false
   */
  readonly controllerManager?: boolean | readonly string[] | undefined;
  /** Further arguments for kube-apiserver, for example `['--feature-gates=WatchList=false']`. */
  readonly apiServerArgs?: readonly string[] | undefined;
  /** Further arguments for etcd. */
  readonly etcdArgs?: readonly string[] | undefined;
  /**
   * The longest time until each program is ready, in milliseconds.
   * @defaultValue 60000
   */
  readonly startTimeoutMs?: number | undefined;
}
