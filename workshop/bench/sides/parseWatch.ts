import { getLines } from '../getBytes.js';
import { Meter } from '../meter.js';
import { sendEvents, type WatchSideOptions } from '../sendEvents.js';

/** Reads the lines of a watch and parses each, and nothing else. */
export function run(options: WatchSideOptions): Promise<object> {
  const meter = new Meter();
  let parsed = 0;
  let kept: unknown;
  return new Promise((resolve) => {
    getLines(`${options.url}/api/v1/pods?watch=true`, (line) => {
      kept = JSON.parse(line.toString('utf8'));
      parsed += 1;
      if (parsed === options.warmUp) meter.restart();
      if (parsed === options.events.count) resolve({ ...meter.times(), kept: Number(kept !== undefined) });
    });
    sendEvents(options);
  });
}
