/** A client, and the program that runs its cases: it prints one line of JSON per case. */
export interface ClientSuite {
  /** Also the name of its results. */
  readonly name: string;
  readonly client: string;
  readonly what: string;
  /** Its source folders in workshop/tools/clients. The name of the first one is used for the build folder. */
  readonly sources: readonly [string, ...string[]];
  /** The required tools, each with an argument to test it with. */
  readonly needs: readonly (readonly [tool: string, argument: string])[];
  /** The commands that download and build it, in a folder with its sources. */
  readonly prepare: readonly (readonly string[])[];
  /** A command that prints the version of the client. */
  readonly version: readonly string[];
  /** The groups of its cases; each gets a server of its own. */
  readonly groups?: readonly string[];
  /** Whether controllers and nodes are simulated: for clients that wait for readiness. */
  readonly workload?: boolean;
  /** The command that runs its cases; a group and a kubeconfig are appended. */
  readonly run: readonly string[];
}
