/**
 * Options of a real API server.
 */
export interface RealApiServerOptions {
  /** The folder with the programs etcd and kube-apiserver. When absent, `KUBEBUILDER_ASSETS`, else the `PATH`. */
  readonly assets?: string;
  /**
   * Whether kube-controller-manager runs too: namespaces drain, and dependents go with their owners.
   * @defaultValue false
   */
  readonly controllerManager?: boolean;
  /** More arguments for kube-apiserver, for example `['--feature-gates=WatchList=false']`. */
  readonly apiServerArgs?: readonly string[];
  /** More arguments for etcd. */
  readonly etcdArgs?: readonly string[];
  /**
   * How long each program may take until it serves, in milliseconds.
   * @defaultValue 60000
   */
  readonly startTimeoutMs?: number;
}

const checks: Readonly<Record<keyof RealApiServerOptions, readonly [expected: string, holds: (value: unknown) => boolean]>> = {
  assets: ['the path of a folder', (value) => typeof value === 'string' && value !== ''],
  controllerManager: ['true or false', (value) => typeof value === 'boolean'],
  apiServerArgs: ['an array of strings', isStrings],
  etcdArgs: ['an array of strings', isStrings],
  startTimeoutMs: ['a number above 0', (value) => typeof value === 'number' && value > 0],
};

function isStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/**
 * Checks options.
 *
 * @throws TypeError that names the option.
 */
export function checkRealApiServerOptions(options: RealApiServerOptions): void {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(checks, name))
      throw new TypeError(`Expected options among ${Object.keys(checks).join(', ')}, got ${JSON.stringify(name)}`);
    const [expected, holds] = checks[name as keyof RealApiServerOptions];
    if (value !== undefined && !holds(value)) throw new TypeError(`Expected \`${name}\` to be ${expected}, got ${JSON.stringify(value)}`);
  }
}
