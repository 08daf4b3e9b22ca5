import type { V1Status } from 'rx-informer';

/** The error of a refused request: thrown below the HTTP layer, answered with its Status. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly status: V1Status & { readonly code: number };

  constructor(status: Pick<V1Status, 'message' | 'reason' | 'details' | 'metadata'> & { readonly code: number }) {
    super(status.message);
    const { metadata = {}, message, reason, details, code } = status;
    this.status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata,
      status: 'Failure',
      ...(message !== undefined && { message }),
      ...(reason !== undefined && { reason }),
      ...(details !== undefined && { details }),
      code,
    };
  }
}
