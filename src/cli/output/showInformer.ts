import { asapScheduler, asyncScheduler, auditTime, finalize, type Observable, takeUntil } from 'rxjs';
import type { InformerHealth } from '../../api/events/informerHealth.js';
import type { UnstructuredObject } from '../../api/kubernetesObject.js';
import type { SharedInformer } from '../../informer/sharedInformer.js';
import { lineView } from './lineView.js';
import { liveTable } from './liveTable.js';
import type { Output } from './parseOutput.js';
import { growingTable } from './tableFormat.js';
import type { Terminal } from '../terminal.js';
import type { WatchSubject, WatchView } from './watchView.js';

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

/**
 * Shows the informer's events until `end`, or until the informer ends; then the terminal is left in order.
 */
export async function showInformer(
  informer: SharedInformer<UnstructuredObject>,
  subject: WatchSubject,
  output: Output,
  terminal: Terminal,
  end: Observable<unknown>,
): Promise<void> {
  const view = viewOf(terminal, subject, output, () => informer.health());
  // For a moment, even an error that ends the informer is one that it will get over.
  const health = informer.health$.pipe(auditTime(0, asapScheduler)).subscribe({
    next: (state) => {
      view.health(state);
    },
    error: ignore,
  });
  try {
    await new Promise<void>((resolve, reject) => {
      informer.resource$
        .pipe(
          takeUntil(end),
          finalize(() => {
            health.unsubscribe();
          }),
        )
        .subscribe({
          next: (event) => {
            view.event(event);
          },
          complete: resolve,
          error: reject,
        });
    });
  } finally {
    view.close();
    await informer.stop();
  }
}
