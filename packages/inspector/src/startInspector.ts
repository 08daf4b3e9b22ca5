import { checkOptions, rules } from 'rx-informer/internal';
import type { Scene } from './scene.js';

/** Options of {@link startInspector}. */
export interface InspectorOptions {
  /** The port on the loopback interface; 0 for any free one. @defaultValue 0 */
  readonly port?: number | undefined;
  /** The program's name on the page. @defaultValue its file and process id */
  readonly title?: string | undefined;
  /** Whether to show the values of Secrets and environment variables instead of masking them. @defaultValue false */
  readonly secrets?: boolean | undefined;
  /** Memory for the timeline of changes, in bytes. @defaultValue 16777216 */
  readonly timelineBytes?: number | undefined;
}

/** A running inspector. */
export interface Inspector {
  /** Its address, including the token: everybody who has it sees what the page shows. */
  readonly url: string;
  readonly port: number;
  /** Closes its connections, and stops collecting data. */
  close(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

interface RunningProgram {
  readonly pid?: number;
  readonly argv?: readonly string[];
}

function defaultTitle(): string {
  const { pid, argv = [] } = (globalThis as { readonly process?: RunningProgram }).process ?? {};
  const program = argv[1]?.split(/[/\\]/).at(-1) ?? 'program';
  return `${program} (${String(pid ?? '')})`;
}

/** Serves a scene. */
export async function serveScene(scene: Scene, port: number): Promise<Inspector> {
  const { InspectorServer } = await import('./inspectorServer.js');
  const server = new InspectorServer(scene);
  try {
    await server.listen(port);
  } catch (error) {
    scene.stop();
    throw error;
  }
  const close = (): Promise<void> => server.close();
  return { url: server.url, port: server.port, close, [Symbol.asyncDispose]: close };
}

/**
 * Serves a page about everything running in this process: the warnings of `diagnose`, informers and views with their objects and last changes, slow consumers, queues, leases and
 * requests.
 *
 * It listens on the loopback interface only, answers only GET requests, and sends data only with the token in its address. It keeps the last changes until it is closed.
 *
 * @example
 * ```ts
 * import { startInspector } from '@rx-informer/inspector';
 *
 * const inspector = await startInspector();
 * console.error(inspector.url);
 * ```
 *
 * @throws TypeError when an option is wrong. Rejects when the port cannot be had.
 */
export async function startInspector(options: InspectorOptions = {}): Promise<Inspector> {
  checkOptions('startInspector', options, {
    port: rules.number({ min: 0, max: 65_535, integer: true }),
    title: rules.nonEmptyString,
    secrets: rules.boolean,
    timelineBytes: rules.number({ min: 0, integer: true }),
  });
  const { port = 0, title = defaultTitle(), secrets = false, timelineBytes = 16 * 1024 * 1024 } = options;
  const { LiveScene } = await import('./scene.js');
  return serveScene(new LiveScene({ title, secrets, timelineBytes }), port);
}
