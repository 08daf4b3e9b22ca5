import type { Exchange } from '../http/exchange.js';
import type { ConvertedForm } from '../http/mediaTypes.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { bareError, notAcceptable } from '../status/statusErrors.js';
import { tableRepresentation } from '../tables/tableRepresentation.js';
import { metadataRepresentation, plainRepresentation, type Representation } from './representation.js';

/** The kind of an answer. */
export type AnswerShape = 'object' | 'list' | 'watch';

const offeredKinds = new Set(['PartialObjectMetadata', 'PartialObjectMetadataList', 'Table']);
const metaVersions = new Set(['v1', 'v1beta1']);

/** Whether objects can be converted to a form. A clause of an Accept header that requests another form is skipped. */
export function offersForm({ kind, group, version }: ConvertedForm): boolean {
  return offeredKinds.has(kind) && group === 'meta.k8s.io' && metaVersions.has(version);
}

/**
 * The requested representation.
 *
 * @throws StatusError 406 when the requested form is an object for a list, or the reverse.
 */
export function representationOf(resource: ServedResource, exchange: Exchange, shape: AnswerShape): Representation {
  const { as: form, drop = false } = exchange.form;
  if (form === undefined) return plainRepresentation(resource, drop);
  if (form.kind === 'Table') {
    return tableRepresentation(resource, {
      version: form.version,
      includeObject: exchange.parameters.text('includeObject'),
      now: () => exchange.clock.now(),
    });
  }
  const asList = form.kind === 'PartialObjectMetadataList';
  if (shape === 'watch') return metadataRepresentation(resource, form.version, drop);
  if (asList !== (shape === 'list')) {
    const list = shape === 'list';
    if (asList && resource.custom !== undefined) throw bareError('content is not a list');
    throw notAcceptable(`you requested ${form.kind}, but the requested object is ${list ? 'a' : 'not a'} list`);
  }
  return metadataRepresentation(resource, form.version, drop);
}
