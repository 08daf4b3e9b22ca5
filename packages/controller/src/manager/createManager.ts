import 'rx-informer/internal';
import { checkOptions, describable, describeValue, rules } from 'rx-informer/internal';
import type { Controller, ControllerOptions } from './controllerContext.js';
import { type ManagerHealth, type ManagerResult, ManagerRun } from './managerRun.js';
import { type ManagerOptions, managerSettings } from './managerOptions.js';

/**
 * Runs the controllers of one process, and what they share.
 *
 * @see controller-runtime's `manager.Manager`
 */
export interface Manager {
  /**
   * Adds a controller, before `run` or while the manager runs, for example when a definition has appeared. It works when its informers have synced, by the rules of
   * `run`; informers that others use already are shared.
   *
   * @throws Error when the manager is stopping, or has another controller of that name, which may still be being removed.
   */
  add(name: string, controller: Controller, options?: ControllerOptions): void;
  /**
   * Removes a controller: no new work begins, running work gets `drainMs`, and the informers that only it has used are stopped. Resolves when it has ended.
   *
   * @throws Error when there is none of that name.
   */
  remove(name: string): Promise<void>;
  /**
   * Runs until the manager is stopped by `stop`, by a signal, or by a failure. Resolves when everything has ended; never rejects.
   *
   * 1. The port is opened, the webhooks are served, and each controller is called, which creates its informers and returns its work.
   * 2. The informers are started, and their sync is awaited.
   * 3. With leader election, this process becomes a candidate; its informers stay up to date meanwhile. While it leads, the controllers work.
   * 4. With shards, it joins its group, and the controllers work on its part of the objects.
   * 5. At the end: no new work begins, running work gets `drainMs`, shards are handed over, events are written, informers are stopped, the lease is released, and the webhooks end last.
   */
  run(): Promise<ManagerResult>;
  /** Ends `run`, and resolves when it has ended. */
  stop(): Promise<void>;
  /** The results of the probes, and the warnings of `diagnose` for this process, where `@rx-informer/inspector` is installed. */
  health(): ManagerHealth;
  /** The port being listened on; undefined without one, and before `run`. */
  port(): number | undefined;
  /** The same as `stop`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Makes a manager: it shares informers among controllers, runs these when the informers have synced and this process leads, answers probes, and shuts down in order.
 *
 * A failure ends the run: informers that do not sync within `syncTimeoutMs`, a controller whose work fails, a port in use (that of the webhooks included), or an unhandled
 * error; and, unless `whenEnded` is `unready`, a source that fails, a controller that completes, and an informer that stops. The exit code is then 1, and the last
 * line logged names the failure. A second signal ends the process at once.
 *
 * @example
 * ```ts
 * import { createClient, resources } from 'rx-informer';
 * import { createManager } from '@rx-informer/controller/manager';
 *
 * const manager = createManager({
 *   client: createClient(),
 *   leaderElection: { lease: { namespace: 'default', name: 'pod-labeler' } },
 *   port: 8080,
 * });
 * manager.add('pod-labeler', ({ informer, client, reconcile }) => {
 *   const pods = informer(resources.core.v1.pods);
 *   return reconcile({
 *     sources: { pods: pods.resource$ },
 *     reconcile: async ({ key, signal }) => {
 *       const { name = '', namespace = '', labels } = pods.lister.get(key)?.metadata ?? {};
 *       if (name === '' || labels?.['seen'] === 'yes') return {};
 *       await client.patch(resources.core.v1.pods, name, 'merge', { metadata: { labels: { seen: 'yes' } } }, { namespace, signal });
 *       return {};
 *     },
 *   });
 * });
 * await manager.run();
 * ```
 *
 * A test starts it without ports and signals: `createManager({ client: server.client, process: false })`.
 *
 * @throws TypeError when an option is wrong.
 */
export function createManager(options: ManagerOptions): Manager {
  const run = new ManagerRun(managerSettings(options));
  const manager: Manager = {
    add: (name, controller, controllerOptions = {}) => {
      if (!rules.nonEmptyString.holds(name))
        throw new TypeError(`Expected the name of a controller to be a non-empty string, got ${describeValue(name)}`);
      if (typeof controller !== 'function')
        throw new TypeError(`Expected the controller \`${name}\` to be a function, got ${typeof controller}`);
      checkOptions('add', controllerOptions, { needsLeader: rules.boolean, whenEnded: rules.oneOf('fail', 'unready') });
      run.add({ name, controller, options: controllerOptions });
    },
    remove: (name) => run.remove(name),
    run: () => run.run(),
    stop: () => run.stop(),
    health: () => run.health(),
    port: () => run.port(),
    [Symbol.asyncDispose]: () => run.stop(),
  };
  return describable(manager, run);
}
