import type { Transport } from '../requests/transport.js';

/** A cluster that can be talked to. */
export interface Connection {
  readonly transport: Transport;
  /** The namespace to use where none is named. */
  readonly defaultNamespace: string;
}
