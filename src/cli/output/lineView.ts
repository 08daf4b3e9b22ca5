import type { InformerHealth } from '../../api/events/informerHealth.js';
import { errorLine } from './errorLine.js';
import type { EventFormat } from './objectFormats.js';
import type { OutputStream, Terminal } from '../terminal.js';
import type { WatchSubject, WatchView } from './watchView.js';

const progressStep = 5_000;

/** Tells on the error stream, in whole lines, how the link is doing. */
function linkReporter(stderr: OutputStream): (health: InformerHealth) => void {
  let broken = false;
  let told = 0;
  return (health) => {
    if (health.state === 'retrying') {
      broken = true;
      stderr.write(`rx-informer: reconnecting: ${health.error === undefined ? 'the connection ended' : errorLine(health.error)}\n`);
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
