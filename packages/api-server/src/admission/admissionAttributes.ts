import type { User } from '../auth/user.js';
import type { JsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';

/** The attributes of a write, or of a connection, that are sent to webhooks. */
export interface AdmissionAttributes {
  readonly operation: 'CONNECT' | 'CREATE' | 'UPDATE' | 'DELETE';
  readonly resource: ServedResource;
  /** `''` for the object itself. */
  readonly subresource: string;
  readonly namespace: string;
  /** `''` if the server has not generated the name yet. */
  readonly name: string;
  /** The object after the write; undefined for a delete. */
  readonly object: JsonObject | undefined;
  /** The object before the write; undefined for a create. */
  readonly oldObject: JsonObject | undefined;
  /** Null for a connection, whose options are the object. */
  readonly options: JsonObject | null;
  readonly dryRun: boolean;
  readonly user: User;
}
