import type { Clock } from 'rx-informer/workqueue';
import type { BodyWriter, HookedRequest } from '../hooks.js';
import { connectionOf } from '../http/connectionOf.js';
import type { FaultSet } from './faultSet.js';

/** An interruption of a body after a part of it was sent. */
interface Interruption {
  readonly afterBytes: number | undefined;
  /** Carries out the interruption; later writes are discarded. */
  readonly strike: () => void | Promise<void>;
}

const forever = (): Promise<void> => new Promise(() => undefined);

function interruptionOf(faults: FaultSet, request: HookedRequest, writer: BodyWriter): Interruption | undefined {
  const cut = faults.strike(request, 'cut', ({ at }) => at === 'body');
  if (cut !== undefined) {
    const connection = connectionOf(request.incoming);
    // In a later task, so that earlier writes are sent.
    return {
      afterBytes: cut.afterBytes,
      strike: () => void setImmediate(() => (cut.how === 'end' ? connection.end() : connection.destroy())),
    };
  }
  const truncate = faults.strike(request, 'truncate');
  if (truncate !== undefined) return { afterBytes: truncate.afterBytes, strike: () => writer.end() };
  const freeze = faults.strike(request, 'freeze', ({ at }) => at === 'body');
  return freeze === undefined ? undefined : { afterBytes: freeze.afterBytes ?? 0, strike: forever };
}

function interrupted(writer: BodyWriter, { afterBytes, strike }: Interruption): BodyWriter {
  let sent = 0;
  let over = false;
  return {
    write: async (bytes) => {
      if (over) return;
      const limit = afterBytes ?? Math.floor(bytes.length / 2);
      const part = bytes.subarray(0, Math.max(limit - sent, 0));
      sent += part.length;
      over = part.length < bytes.length;
      if (part.length > 0) await writer.write(part);
      if (over) await strike();
    },
    end: () => {
      if (!over) writer.end();
    },
  };
}

function dripping(writer: BodyWriter, clock: Clock, size: number, everyMs: number): BodyWriter {
  return {
    write: async (bytes) => {
      for (let at = 0; at < bytes.length; at += size) {
        await writer.write(bytes.subarray(at, at + size));
        await new Promise<void>((resolve) => clock.schedule(resolve, everyMs));
      }
    },
    end: () => writer.end(),
  };
}

/** The interruption of an answer's body; undefined without one, so that the answer is sent normally. */
export function strikeBody(faults: FaultSet, clock: Clock, request: HookedRequest): ((writer: BodyWriter) => BodyWriter) | undefined {
  if (!faults.threatens(request, ['cut', 'truncate', 'freeze', 'drip'])) return undefined;
  return (writer) => {
    const drip = faults.strike(request, 'drip');
    const slow = drip === undefined ? writer : dripping(writer, clock, drip.bytes, drip.everyMs);
    const interruption = interruptionOf(faults, request, writer);
    return interruption === undefined ? slow : interrupted(slow, interruption);
  };
}
