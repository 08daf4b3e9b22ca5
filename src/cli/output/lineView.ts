import type { InformerHealth } from '../../api/events/informerHealth.js';
import { createQuiet } from '../../informer/session/createQuiet.js';
import { monotonicScheduler } from '../../rx/monotonicScheduler.js';
import { errorLine } from './errorLine.js';
import type { EventFormat } from './objectFormats.js';
import type { OutputStream, Terminal } from '../terminal.js';
import type { WatchSubject, WatchView } from './watchView.js';

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

/**
 * A view for pipes and files: one piece of text for each event, the link's state on the error stream.
 */
export function lineView(terminal: Terminal, subject: WatchSubject, format: EventFormat): WatchView {
  return {
    event(event) {
      const text = format(event, subject);
      if (text !== '') terminal.stdout.write(text);
    },
    health: linkReporter(terminal.stderr),
    close: () => undefined,
  };
}
