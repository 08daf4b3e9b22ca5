import { resourceName } from 'rx-informer/internal';
import { forbiddenTo } from '../auth/accessControl.js';
import type { HookedRequest } from '../hooks.js';
import { isResourceTarget } from '../http/routePath.js';
import { StatusError } from '../status/statusError.js';
import {
  expired,
  internalError,
  modifiedConflict,
  notFound,
  pathNotFound,
  tooLargeResourceVersion,
  unauthorized,
} from '../status/statusErrors.js';

/** The part of a Status that its code determines, as Kubernetes sends it. */
export function statusOfCode(request: HookedRequest, code: number): StatusError {
  const { target } = request;
  const found = isResourceTarget(target) ? target : undefined;
  switch (code) {
    case 401:
      return unauthorized();
    case 403:
      return forbiddenTo(request.user, request);
    case 404:
      return found === undefined || found.name === '' ? pathNotFound() : notFound(found.resource, found.name);
    case 409:
      return modifiedConflict(found?.resource ?? { group: '', plural: 'objects' }, found?.name ?? '');
    case 410:
      return expired('The resourceVersion for the provided watch is too old.');
    case 429:
      return new StatusError({
        code,
        reason: 'TooManyRequests',
        message: 'Too many requests, please try again later.',
        details: { retryAfterSeconds: 1 },
      });
    case 500:
      return internalError('injected fault');
    case 503:
      return new StatusError({ code, reason: 'ServiceUnavailable', message: 'the server is currently unable to handle the request' });
    case 504:
      return tooLargeResourceVersion(2 ** 40, 1);
    default:
      return new StatusError({ code, message: `injected fault${found === undefined ? '' : ` of ${resourceName(found.resource)}`}` });
  }
}
