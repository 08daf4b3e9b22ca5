import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finalize, type Observable, takeUntil, tap } from 'rxjs';
import type { UnstructuredObject } from 'rx-informer';
import { createQuiet, messageOf, monotonicScheduler } from 'rx-informer/internal';
import { listerWatcher, recordSource, reflect } from 'rx-informer/pipeline';
import { CliError } from '../cliError.js';
import { findSelection, type SelectionFlags, withClient } from '../arguments/selection.js';
import { errorLine } from '../output/errorLine.js';
import { printable } from '../output/printable.js';
import type { Run } from '../terminal.js';

async function writeLines(file: string, lines: Observable<string>): Promise<void> {
  const stream = createWriteStream(file, { flags: 'wx', mode: 0o600 });
  const rethrow = (error: unknown): never => {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new CliError(`${file} exists already; expected the name of a new file, or -`);
    throw new CliError(`cannot write ${file}: ${messageOf(error)}`);
  };
  await once(stream, 'open').catch(rethrow);
  const failed = once(stream, 'error').then(([error]: unknown[]) => rethrow(error));
  const written = new Promise<void>((resolve, reject) => {
    const subscription = lines.pipe(finalize(() => stream.end())).subscribe({ next: (line) => stream.write(`${line}\n`), error: reject });
    stream.once('close', () => {
      subscription.unsubscribe();
      resolve();
    });
  });
  await Promise.race([written, failed]);
}

/** `rx-informer record`: writes the source events of one kind to a file until `end$` emits, without the data of Secrets. */
export async function recordCommand(name: string, file: string, flags: SelectionFlags, { terminal, end$ }: Run): Promise<void> {
  await withClient(flags, end$, async (client) => {
    const { resource, options } = await findSelection(client, name, flags);
    const quiet = createQuiet(monotonicScheduler);
    let events = 0;
    const lines = reflect<UnstructuredObject>(listerWatcher<UnstructuredObject>(client, resource, options)).pipe(
      tap((event) => {
        events += 1;
        if (event.type === 'ready')
          terminal.stderr.write(`rx-informer: recording ${resource.plural} from version ${event.resourceVersion}\n`);
        if (event.type === 'status' && event.error !== undefined) {
          const line = quiet(event.error, errorLine(event.error));
          if (line !== undefined) terminal.stderr.write(`rx-informer: ${line}\n`);
        }
      }),
      recordSource({ resource }),
      takeUntil(end$),
    );
    await (file === '-' ? lines.forEach((line) => void terminal.stdout.write(`${printable(line)}\n`)) : writeLines(file, lines));
    terminal.stderr.write(`rx-informer: ${events} events in ${file === '-' ? 'all' : file}\n`);
  });
}
