import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { createInformer, customResource, type Resource, type UnstructuredObject } from 'rx-informer';
import { headerOf, messageOf } from 'rx-informer/internal';
import { replaySource } from 'rx-informer/pipeline';
import { CliError } from '../cliError.js';
import { inspected, type InspectFlags, showInspection, untilEnd } from '../program/inspected.js';
import { isInspection } from '@rx-informer/inspector/internal';
import { showInformer, type ShowFlags } from '../output/showInformer.js';
import { usualColumns } from '../output/watchSubject.js';
import type { Run } from '../terminal.js';

/** The flags of `rx-informer replay`. */
export interface ReplayFlags extends ShowFlags {
  readonly speed: number;
}

/** Opens the file now, so that a failure is printed on one line. */
async function linesOf(file: string): Promise<AsyncIterable<string>> {
  const input = createReadStream(file, { encoding: 'utf8' });
  try {
    await once(input, 'open');
  } catch (error) {
    throw new CliError(`cannot read ${file}: ${messageOf(error)}`);
  }
  return createInterface({ input, crlfDelay: Infinity });
}

async function resourceOf(file: string): Promise<Resource<UnstructuredObject>> {
  for await (const line of await linesOf(file)) {
    const { resource } = headerOf(line);
    const { group, ...names } = resource ?? { group: '', version: 'v1', plural: 'objects', kind: 'Object', namespaced: true };
    return { ...customResource<UnstructuredObject>({ group: group === '' ? 'core' : group, ...names }), group };
  }
  throw new CliError(`${file} is empty; expected a recording`);
}

/**
 * `rx-informer replay`: shows a recording as `watch` would have, until its end or until `end$` emits. With `--inspect`, it also accepts a
 * file written by the inspector.
 */
export async function replayCommand(file: string, flags: ReplayFlags & InspectFlags, run: Run): Promise<void> {
  if (await startsInspection(file)) {
    if (flags.inspect === undefined) throw new CliError(`${file} was written by the inspector; open it with --inspect`);
    const lines: string[] = [];
    for await (const line of await linesOf(file)) lines.push(line);
    await showInspection(lines, flags, run);
    return;
  }
  await inspected('replay', flags, run, async () => {
    await replayRecording(file, flags, run);
    // The final state stays open in the inspector.
    if (flags.inspect !== undefined) await untilEnd(run.end$);
  });
}

async function startsInspection(file: string): Promise<boolean> {
  for await (const line of await linesOf(file)) return isInspection(line);
  return false;
}

async function replayRecording(file: string, flags: ReplayFlags, run: Run): Promise<void> {
  const resource = await resourceOf(file);
  const source = replaySource<UnstructuredObject>(await linesOf(file), { speed: flags.speed });
  const informer = createInformer(source, { resource: resource.plural, onError: () => 'retry' });
  await showInformer(
    informer,
    { resource, columns: usualColumns(resource), allNamespaces: resource.namespaced, showKind: false },
    flags,
    run,
  );
}
