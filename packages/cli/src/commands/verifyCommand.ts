import { verifyInformer, type Verification } from 'rx-informer/pipeline';
import { defer, firstValueFrom, ignoreElements, map, merge, type Observable, switchMap, tap, timer } from 'rxjs';
import type { SharedInformer, UnstructuredObject } from 'rx-informer';
import { monotonicScheduler } from 'rx-informer/internal';
import { CliError } from '../cliError.js';
import { printable } from '../output/printable.js';
import { type ColourChoice, type Line, paint, wantsColour } from '../output/line.js';
import type { Run } from '../terminal.js';
import { findSelection, informerOf, type SelectionFlags, withClient } from '../arguments/selection.js';

/** The flags of `rx-informer verify`. */
export interface VerifyFlags extends SelectionFlags {
  /** How long the objects are followed before the comparison, in milliseconds. */
  readonly after: number;
  readonly contents?: boolean;
  readonly color?: ColourChoice;
}

const timeoutMs = 60_000;

function findings({ missing, extra, differing }: Verification): Line[] {
  const line = (what: string, key: string, detail: string): Line => [
    { text: what.padEnd(9), style: 'red' },
    `${printable(key)}: ${detail}`,
  ];
  const only = (where: string, version: string) => `only the ${where} has it, at resource version ${printable(version)}`;
  return [
    ...missing.map(({ key, resourceVersion }) => line('missing', key, only('server', resourceVersion))),
    ...extra.map(({ key, resourceVersion }) => line('extra', key, only('cache', resourceVersion))),
    ...differing.map(({ key, cached, served }) =>
      line('differs', key, `resource version ${printable(cached)} in the cache, ${printable(served)} on the server`),
    ),
  ];
}

/** Follows the objects for a while. Returns the number of changes, or undefined when the user ended it. */
function follow(informer: SharedInformer<UnstructuredObject>, afterMs: number, end: Observable<unknown>): Promise<number | undefined> {
  let changes = 0;
  const counting = informer.resource$.pipe(
    tap((event) => (changes += event.type === 'synced' || (event.type === 'added' && event.initial) ? 0 : 1)),
    ignoreElements(),
  );
  const passed = defer(() => informer.whenSynced()).pipe(switchMap(() => timer(afterMs, monotonicScheduler)));
  const counted = passed.pipe(map(() => changes));
  return firstValueFrom(merge(counting, counted, end.pipe(map(() => undefined))), { defaultValue: undefined });
}

/**
 * `rx-informer verify`: follows objects for a while, then compares the cache with the server at exactly the cached version. Throws a
 * CliError when they differ.
 */
export async function verifyCommand(kind: string, flags: VerifyFlags, { terminal, end$ }: Run): Promise<void> {
  const { stdout, stderr } = terminal;
  await withClient(flags, end$, async (client) => {
    const selection = await findSelection(client, kind, flags);
    const { resource } = selection;
    const informer = informerOf(client, selection);
    try {
      const followed = follow(informer, flags.after, end$);
      stderr.write(`rx-informer: following ${resource.plural} for ${String(flags.after / 1_000)} s, then comparing them with the server\n`);
      const changes = await followed;
      if (changes === undefined) return;
      const result = await verifyInformer(informer, { timeoutMs, contents: flags.contents === true });
      const wrong = findings(result);
      for (const line of wrong) stdout.write(`${paint(line, wantsColour(terminal, flags.color))}\n`);
      const version = [...result.resourceVersions.values()].map(printable).join(', ');
      const what = `${String(result.count)} ${resource.plural} after ${String(changes)} changes, at resource version ${version}`;
      if (wrong.length > 0) throw new CliError(`the cache and the server differ in ${String(wrong.length)} of ${what}`);
      stdout.write(`the cache and the server agree in ${what}\n`);
    } finally {
      await informer.stop();
    }
  });
}
