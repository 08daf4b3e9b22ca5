import { asapScheduler, asyncScheduler, auditTime, finalize, type Observable, takeUntil } from 'rxjs';
import type { InformerHealth } from '../../api/events/informerHealth.js';
import type { UnstructuredObject } from '../../api/kubernetesObject.js';
import type { SharedInformer } from '../../informer/sharedInformer.js';
import { liveTable } from './liveTable.js';
import type { Output } from './parseOutput.js';
import { growingTable } from './tableFormat.js';
import type { Terminal, OutputStream } from '../terminal.js';
import type { WatchSubject, WatchView } from './watchView.js';
import { createQuiet } from '../../informer/session/createQuiet.js';
import { monotonicScheduler } from '../../rx/monotonicScheduler.js';
import { errorLine } from './errorLine.js';
import type { EventFormat } from './objectFormats.js';

const progressStep = 5_000;

/** Says on the error stream, in whole lines, how the link is doing: a failure once per minute and cause. */
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

/** A view for pipes and files: one piece of text for each event, the link's state on the error stream. */
function lineView(terminal: Terminal, subject: WatchSubject, format: EventFormat): WatchView {
  return {
    event(event) {
      const text = format(event, subject);
      if (text !== '') terminal.stdout.write(text);
    },
    health: linkReporter(terminal.stderr),
    close: () => undefined,
  };
}

function viewOf(terminal: Terminal, subject: WatchSubject, output: Output, health: () => InformerHealth): WatchView {
  const scheduler = asyncScheduler;
  if (output.type === 'text') return lineView(terminal, subject, output.format);
  if (terminal.stdout.isTTY === true && !subject.showKind) return liveTable(terminal, subject, health, scheduler);
  return lineView(
    terminal,
    subject,
    growingTable(() => scheduler.now()),
  );
}

/** The error of an informer that ends comes through its events. */
const ignore = (): void => undefined;

/** Shows the informer's events until `end`, or until the informer ends; then the terminal is left in order. */
export async function showInformer(
  informer: SharedInformer<UnstructuredObject>,
  subject: WatchSubject,
  output: Output,
  terminal: Terminal,
  end: Observable<unknown>,
): Promise<void> {
  const view = viewOf(terminal, subject, output, () => informer.health());
  // For a moment, even an error that ends the informer is one that it will get over.
  const health = informer.health$.pipe(auditTime(0, asapScheduler)).subscribe({ next: (state) => view.health(state), error: ignore });
  try {
    await informer.resource$
      .pipe(
        takeUntil(end),
        finalize(() => health.unsubscribe()),
      )
      .forEach((event) => view.event(event));
  } finally {
    view.close();
    await informer.stop();
  }
}
