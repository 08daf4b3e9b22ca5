import { concat, interval, lastValueFrom, of, takeUntil } from 'rxjs';
import { messageOf } from 'rx-informer/internal';
import type { Inspector } from '@rx-informer/inspector';
import { CliError } from '../cliError.js';
import type { Run } from '../terminal.js';

/** The flag `--inspect[=port]`. */
export interface InspectFlags {
  readonly inspect?: number | true;
}

/** Runs a command. With `--inspect`, starts the inspector and prints its address to the error stream. */
export async function inspected<R>(command: string, { inspect }: InspectFlags, { terminal }: Run, work: () => Promise<R>): Promise<R> {
  if (inspect === undefined) return work();
  const { startInspector } = await import('@rx-informer/inspector');
  return whileOpen(startInspector({ port: inspect === true ? 0 : inspect, title: `rx-informer ${command}` }), terminal, work);
}

/** Shows a file written by the inspector, until `end$` emits. */
export async function showInspection(lines: Iterable<string>, { inspect }: InspectFlags, { terminal, end$ }: Run): Promise<void> {
  const [{ serveScene }, { RecordedScene }] = [
    await import('@rx-informer/inspector/internal'),
    await import('@rx-informer/inspector/internal'),
  ];
  const port = typeof inspect === 'number' ? inspect : 0;
  const opening = (async () => await serveScene(new RecordedScene(lines), port))();
  await whileOpen(opening, terminal, () => untilEnd(end$));
}

/** Waits until `end$` emits, and keeps the process running until then: neither an open page nor listeners for signals would. */
export async function untilEnd(end$: Run['end$']): Promise<void> {
  await lastValueFrom(interval(60_000).pipe(takeUntil(concat(end$, of(undefined)))), { defaultValue: undefined });
}

async function whileOpen<R>(opening: Promise<Inspector>, terminal: Run['terminal'], work: () => Promise<R>): Promise<R> {
  let inspector: Inspector;
  try {
    inspector = await opening;
  } catch (error) {
    throw new CliError(`cannot open the inspector: ${messageOf(error)}`);
  }
  terminal.stderr.write(`inspector: ${inspector.url}\n`);
  try {
    return await work();
  } finally {
    await inspector.close();
  }
}
