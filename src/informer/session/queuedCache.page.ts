import { notInPages } from '../../api/notInPages.js';

export function checkQueue(queueing: unknown): void {
  if (queueing !== undefined && queueing !== false) notInPages('`deltaFifo`');
}

export const queuedCache = (): never => notInPages('`deltaFifo`');
