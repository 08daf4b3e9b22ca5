import { asapScheduler, auditTime, finalize, merge, Subject, takeUntil } from 'rxjs';
import type { InformerHealth } from '../../api/events.js';
import type { UnstructuredObject } from '../../api/kubernetesObject.js';
import { createQuiet } from '../../informer/session/errorReporter.js';
import type { SharedInformer } from '../../informer/sharedInformer.js';
import { monotonicScheduler } from '../../rx/schedulerOf.js';
import type { OutputStream, Run } from '../terminal.js';
import { errorLine } from './errorLine.js';
import type { Output } from './parseOutput.js';
import { growingTable } from './tableFormat.js';
import { canBeDrawnOn, type ColourChoice, wantsColour } from './line.js';
import { LiveTable, type ShownTable, type WatchView } from './liveTable.js';
import type { WatchSubject } from './watchSubject.js';

/** The flags of commands that show an informer. */
export interface ShowFlags {
  readonly output: Output;
  readonly color?: ColourChoice;
}

const progressStep = 5_000;

/** Reports the state of the link on the error stream, in whole lines; a failure at most once per minute and cause. */
function linkReporter(stderr: OutputStream): (health: InformerHealth) => void {
  const quiet = createQuiet(monotonicScheduler);
  let broken = false;
  let told = 0;
  return (health) => {
    if (health.state === 'retrying') {
      const { error = new Error('the connection ended') } = health;
      const line = quiet(error, `reconnecting: ${errorLine(error)}`);
      if (line === undefined) return;
      broken = true;
      stderr.write(`rx-informer: ${line}\n`);
    } else if (health.state === 'watching' && broken) {
      broken = false;
      stderr.write('rx-informer: live again\n');
    } else if (health.state === 'listing' && (health.received ?? 0) - told >= progressStep) {
      told = health.received ?? 0;
      stderr.write(`rx-informer: listing: ${told.toLocaleString('en')} objects so far\n`);
    }
  };
}

function viewOf(shown: ShownTable, output: Output): WatchView {
  const { subject, run } = shown;
  const { terminal } = run;
  if (output.type === 'table' && canBeDrawnOn(terminal) && !subject.showKind) return new LiveTable(shown);
  // For pipes and files: text for each event on standard output, the state of the link on the error stream.
  const format = output.type === 'text' ? output.format : growingTable();
  return {
    event(event) {
      const text = format(event, subject);
      if (text !== '') terminal.stdout.write(text);
    },
    health: linkReporter(terminal.stderr),
    close: () => undefined,
  };
}

/** Ignored: an error that ends the informer is also emitted with its events. */
const ignore = (): void => undefined;

/** Shows the informer's events until `end$` emits or the informer ends, then restores the terminal. */
export async function showInformer(
  informer: SharedInformer<UnstructuredObject>,
  subject: Omit<WatchSubject, 'columns' | 'colour'>,
  { output, color }: ShowFlags,
  run: Run,
  logsOf: ShownTable['logsOf'] = () => undefined,
): Promise<void> {
  const { terminal, end$ } = run;
  const quit$ = new Subject<void>();
  const columns = output.type === 'table' ? output.columnsOf(subject.resource) : [];
  const allColumns = output.type === 'table' ? output.allColumnsOf(subject.resource) : [];
  const colour = wantsColour(terminal, terminal.stdout, color);
  const view = viewOf({ run, subject: { ...subject, columns, colour }, informer, allColumns, logsOf, quit: () => quit$.next() }, output);
  // Wait until the end of the task: an error that ends the informer is first reported as one that will be retried.
  const health = informer.health$.pipe(auditTime(0, asapScheduler)).subscribe({ next: (state) => view.health(state), error: ignore });
  try {
    await informer.resource$
      .pipe(
        takeUntil(merge(end$, quit$)),
        finalize(() => health.unsubscribe()),
      )
      .forEach((event) => view.event(event));
  } finally {
    view.close();
    await informer.stop();
  }
}
