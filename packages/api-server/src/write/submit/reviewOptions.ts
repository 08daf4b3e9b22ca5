import type { AdmissionAttributes } from '../../admission/admissionAttributes.js';
import type { Exchange } from '../../http/exchange.js';
import type { JsonObject } from '../../json.js';
import type { DeleteOptions } from '../deleteOptions.js';

const apiVersion = 'meta.k8s.io/v1';
const dryRuns = { dryRun: ['All'] };

/** The options of a write and its user, in the form for webhooks. */
export function reviewOptions(
  kind: 'CreateOptions' | 'UpdateOptions',
  { parameters, user }: Exchange,
  dryRun: boolean,
): Pick<AdmissionAttributes, 'options' | 'dryRun' | 'user'> {
  const [fieldManager, fieldValidation] = [parameters.text('fieldManager'), parameters.text('fieldValidation')];
  const named = { ...(fieldManager !== '' && { fieldManager }), ...(fieldValidation !== '' && { fieldValidation }) };
  return { options: { kind, apiVersion, ...(dryRun && dryRuns), ...named }, dryRun, user };
}

/** The options of a delete, in the form for webhooks. */
export function reviewDeleteOptions({ dryRun, gracePeriodSeconds, propagationPolicy, uid, resourceVersion }: DeleteOptions): JsonObject {
  const preconditions = { ...(uid !== undefined && { uid }), ...(resourceVersion !== undefined && { resourceVersion }) };
  return {
    kind: 'DeleteOptions',
    apiVersion,
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(Object.keys(preconditions).length > 0 && { preconditions }),
    ...(propagationPolicy !== undefined && { propagationPolicy }),
    ...(dryRun && dryRuns),
  };
}
