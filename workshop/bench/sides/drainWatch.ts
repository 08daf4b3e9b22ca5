import { getLines } from '../getBytes.js';
import { Meter } from '../meter.js';
import { sendEvents, type WatchSideOptions } from '../sendEvents.js';

/** Reads the lines of a watch and discards them: the speed of the server. */
export function run(options: WatchSideOptions): Promise<object> {
  const meter = new Meter();
  let lines = 0;
  return new Promise((resolve) => {
    getLines(`${options.url}/api/v1/pods?watch=true`, () => {
      lines += 1;
      if (lines === options.warmUp) meter.restart();
      if (lines === options.events.count) resolve(meter.times());
    });
    sendEvents(options);
  });
}
