import { checkOptions, rules } from '../api/options.js';
import { InspectorServer } from './inspectorServer.js';
import { LiveScene, type Scene } from './scene.js';

/** Options of {@link startInspector}. */
export interface InspectorOptions {
  /** The port of the loopback interface; 0 for any free one. Default 0. */
  readonly port?: number | undefined;
  /** What the program is called on the page. Default: its file, and the number of its process. */
  readonly title?: string | undefined;
  /** Whether the values of Secrets are shown. Default: false, they are masked. */
  readonly secrets?: boolean | undefined;
  /** How many bytes the last changes may take. Default 16 MiB. */
  readonly timelineBytes?: number | undefined;
}

/** The page that shows a running program. */
export interface Inspector {
  /** Its address, with the token that it asks for: whoever has it sees what the page shows. */
  readonly url: string;
  readonly port: number;
  /** Ends it: its connections are closed, and nothing is gathered any more. */
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

/** Serves a scene. @internal */
export async function serveScene(scene: Scene, port: number): Promise<Inspector> {
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
 * Serves a page that shows what runs in this process: what `diagnose` warns of, informers and views with their objects and their last changes, who is behind, queues, leases and
 * requests. Everything that runs already is on it.
 *
 * It listens on the loopback interface alone, answers nothing but GET, and gives data to nobody who lacks the token in its address. Until it is closed it keeps the last changes.
 *
 * @example
 * ```ts
 * import { startInspector } from 'rx-informer/inspector';
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
  return serveScene(new LiveScene({ title, secrets, timelineBytes }), port);
}
