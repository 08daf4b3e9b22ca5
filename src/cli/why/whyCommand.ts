import { type ConnectionFlags, findSelection, withClient } from '../arguments/selection.js';
import type { Target } from '../arguments/argumentValues.js';
import { CliError, exitCodes } from '../cliError.js';
import { type ColourChoice, paint, wantsColour } from '../output/line.js';
import type { Terminal } from '../terminal.js';
import { explanation } from './explanation.js';
import { gatherFacts } from './gatherFacts.js';

/** The flags of `rx-informer why`. */
export interface WhyFlags extends ConnectionFlags {
  readonly namespace?: string;
  readonly color?: ColourChoice;
}

/** `rx-informer why`: says why objects are as they are. */
export async function whyCommand(targets: readonly Target[], flags: WhyFlags, terminal: Terminal): Promise<void> {
  const { stdout } = terminal;
  const colour = wantsColour(terminal, stdout, flags.color);
  await withClient(flags, async (client) => {
    for (const [at, { kind, name }] of targets.entries()) {
      if (name === undefined) throw new CliError(`expected the name of an object, as in ${kind}/NAME`, exitCodes.usage);
      const { resource, options } = await findSelection(client, kind, flags);
      const facts = await gatherFacts(client, resource, name, options.namespace);
      const lines = explanation(facts, Date.now()).map((line) => `${paint(line, colour).trimEnd()}\n`);
      stdout.write(`${at > 0 ? '\n' : ''}${lines.join('')}`);
    }
  });
}
