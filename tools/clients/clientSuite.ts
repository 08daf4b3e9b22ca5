/** A client, and how its cases are run. Each is a program that prints a line of JSON for every case. */
export interface ClientSuite {
  /** The name of its results, too. */
  readonly name: string;
  readonly client: string;
  readonly what: string;
  /** The folders of its sources, in tools/clients; the first one names the folder that it is built in. */
  readonly sources: readonly [string, ...string[]];
  /** What has to be installed; it is called with one argument that it understands. */
  readonly needs: readonly (readonly [tool: string, argument: string])[];
  /** Commands that get and build it, in a folder with its sources. */
  readonly prepare: readonly (readonly string[])[];
  /** A command that prints the version of the client. */
  readonly version: readonly string[];
  /** Parts of its cases, each of which wants a server of its own. */
  readonly groups?: readonly string[];
  /** Whether controllers and nodes are simulated beside the server: for clients that wait until things are ready. */
  readonly workload?: boolean;
  /** The command that runs its cases; a group and a kubeconfig are added. */
  readonly run: readonly string[];
}
