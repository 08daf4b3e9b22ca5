import { corsMessage, refusedByCors } from '../../api/refusedByCors.js';
import type * as whole from './fetchFailure.js';
import { RequestError, requestFailure, requestName } from './requestError.js';

async function failureOf({ error, request, server, fetch, signal, isAnswered }: whole.FailedFetch): Promise<RequestError> {
  if (isAnswered || !(await refusedByCors(`${server}/version`, fetch, signal))) return requestFailure(error, request);
  const name = requestName(request);
  return new RequestError({ code: 'ERR_CORS', message: `${name} failed: ${corsMessage()}`, request: name });
}

/** In a page, the failure also tells a refused CORS request from a dead server. */
export const fetchFailure: typeof whole.fetchFailure = (failed, fail) => void failureOf(failed).then(fail);
