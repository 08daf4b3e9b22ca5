import { checkOptions, rules } from 'rx-informer/internal';
import type { RealApiServerOptions } from './real/realApiServerOptions.js';
import type { RunningApiServer } from './runningApiServer.js';
import type { ApiServerOptions } from './apiServerOptions.js';
import { startApiServer } from './startApiServer.js';

/** Options of an API server that is embedded or real. */
export interface EitherApiServerOptions {
  /** Options of the embedded one. */
  readonly embedded?: ApiServerOptions | undefined;
  /** Options of the real one. */
  readonly real?: RealApiServerOptions | undefined;
}

/**
 * Starts an embedded API server, or a real one if the environment has `API_SERVER=real`: one test suite runs on both.
 *
 * @example
 * ```ts
 * import { resources } from 'rx-informer';
 * import { startEitherApiServer } from '@rx-informer/api-server';
 *
 * const server = await startEitherApiServer();
 * await server.client.create(resources.core.v1.configmaps, { metadata: { name: 'settings', namespace: 'default' } });
 * await server.close();
 * ```
 *
 * @throws TypeError for a wrong option or another value of `API_SERVER`, and the errors of `startApiServer` and `startRealApiServer`.
 */
export async function startEitherApiServer(options: EitherApiServerOptions = {}): Promise<RunningApiServer> {
  checkOptions<EitherApiServerOptions>('startEitherApiServer', options, { embedded: rules.object, real: rules.object });
  const { embedded, real } = options;
  const kind = process.env['API_SERVER'] ?? '';
  if (kind === 'real') return (await import('./real/startRealApiServer.js')).startRealApiServer(real);
  if (kind !== '' && kind !== 'embedded')
    throw new TypeError(`Expected API_SERVER to be "embedded" or "real", got ${JSON.stringify(kind)}`);
  return startApiServer(embedded);
}
