import { messageOf } from '../../api/errors/informerError.js';
import { CliError } from '../cliError.js';
import type { Run } from '../terminal.js';

/** The flags of `rx-informer dump`. */
export interface DumpFlags {
  readonly port: number;
}

/** `rx-informer dump`: prints the state of a manager on this machine, read from its port. */
export async function dumpCommand({ port }: DumpFlags, { terminal }: Run): Promise<void> {
  const url = `http://127.0.0.1:${port}/dump`;
  let response: Response;
  try {
    response = await fetch(url);
  } catch (error) {
    const { cause } = error as { readonly cause?: unknown };
    throw new CliError(`no answer from ${url}: ${messageOf(cause ?? error)}; is it the port of a manager, or of kubectl port-forward?`);
  }
  const text = await response.text();
  if (!response.ok) throw new CliError(`${url} answers ${response.status}: ${text.trim()}`);
  terminal.stdout.write(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
}
