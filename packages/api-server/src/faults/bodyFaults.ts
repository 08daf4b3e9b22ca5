import type { Clock } from 'rx-informer/workqueue';
import type { BodyWriter, HookedRequest } from '../hooks.js';
import { connectionOf } from '../http/connectionOf.js';
import type { FaultSet } from './faultSet.js';

const forever = (): Promise<void> => new Promise(() => undefined);

/** Interrupts a body where a fault says so. A fault that the body is too short for has not struck. */
function interrupted(faults: FaultSet, request: HookedRequest, slow: BodyWriter, writer: BodyWriter): BodyWriter {
  let sent = 0;
  let over = false;
  /** The faults that had their turn. */
  const met = new Set<object>();
  /** The interruption inside these bytes: where, and what happens; later writes are discarded. */
  const interruptionIn = ({ length }: Buffer): readonly [number, () => void | Promise<void>] | undefined => {
    const place = ({ afterBytes = 0 }: { readonly afterBytes?: number }): number => Math.max(afterBytes - sent, 0);
    const isIn = (fault: { readonly afterBytes?: number }): boolean => place(fault) < length && met.size < met.add(fault).size;
    const cut = faults.strike(request, 'cut', (fault) => fault.at === 'body' && isIn(fault));
    if (cut !== undefined) {
      const connection = connectionOf(request.incoming);
      // In a later task, so that earlier writes are sent.
      const strike = (): void => void setImmediate(() => (cut.how === 'end' ? connection.end() : connection.destroy()));
      return [cut.afterBytes === undefined ? Math.floor(length / 2) : place(cut), strike];
    }
    const truncate = faults.strike(request, 'truncate', isIn);
    if (truncate !== undefined) return [place(truncate), () => writer.end()];
    const freeze = faults.strike(request, 'freeze', (fault) => fault.at === 'body' && isIn(fault));
    return freeze && [place(freeze), forever];
  };
  return {
    write: async (bytes) => {
      if (over) return;
      const [size, strike] = interruptionIn(bytes) ?? [bytes.length];
      over = strike !== undefined;
      sent += bytes.length;
      if (size > 0) await slow.write(bytes.subarray(0, size));
      await strike?.();
    },
    end: () => {
      if (!over) slow.end();
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
    return interrupted(faults, request, drip === undefined ? writer : dripping(writer, clock, drip.bytes, drip.everyMs), writer);
  };
}
