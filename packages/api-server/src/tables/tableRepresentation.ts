import type { UnstructuredObject } from 'rx-informer';
import type { ServedResource } from '../kinds/servedResource.js';
import { bookmarkMetadata, type Representation } from '../read/representation.js';
import { badRequest } from '../status/statusErrors.js';
import type { StoredObject } from '../store/storedObject.js';
import { columnsOf, type TableColumn } from 'rx-informer/internal';
import { printerColumns } from './printerColumns.js';

/** The options of a Table. */
export interface TableRequest {
  /** `v1` or `v1beta1` */
  readonly version: string;
  /** The parameter `includeObject` as sent. */
  readonly includeObject: string;
  readonly now: () => number;
}

type IncludeObject = 'None' | 'Metadata' | 'Object';

function includeObjectOf(text: string): IncludeObject {
  if (text === '') return 'Metadata';
  if (text === 'None' || text === 'Metadata' || text === 'Object') return text;
  const expected = "must be 'Metadata', 'Object', 'None', or empty";
  throw badRequest(`Unable to convert to Table as requested: includeObject: Invalid value: "${text}": ${expected}`);
}

function definitionsOf(columns: readonly TableColumn[]): string {
  return JSON.stringify(columns.map(({ name, type, format, description, priority }) => ({ name, type, format, description, priority })));
}

/** The metadata without an annotation that holds a field of a daemon set, and that the rows of a table do not have. */
function shownMetadata(metadata: NonNullable<UnstructuredObject['metadata']>): object {
  const { 'deprecated.daemonset.template.generation': generation, ...annotations } = metadata.annotations ?? {};
  if (generation === undefined) return metadata;
  const { annotations: _, ...rest } = metadata;
  return Object.keys(annotations).length === 0 ? rest : { ...metadata, annotations };
}

/** Objects as rows of the Table that kubectl prints. In a watch, only the first event defines the columns. */
export function tableRepresentation(resource: ServedResource, request: TableRequest): Representation {
  const { kind, groupVersion, custom } = resource;
  const includeObject = includeObjectOf(request.includeObject);
  const metaVersion = `meta.k8s.io/${request.version}`;
  const columns = custom === undefined ? columnsOf(resource) : printerColumns(custom.printerColumns);
  const definitions = definitionsOf(columns);
  let defined = false;

  const included = (object: UnstructuredObject, include: IncludeObject): object | null => {
    if (include === 'None') return null;
    if (include === 'Object') return { ...object, kind, apiVersion: groupVersion };
    return { kind: 'PartialObjectMetadata', apiVersion: metaVersion, metadata: shownMetadata(object.metadata ?? {}) };
  };
  const row = (object: UnstructuredObject, include: IncludeObject): string =>
    JSON.stringify({ cells: columns.map((column) => column.cell(object, request.now())), object: included(object, include) });
  const head = (metadata: object): string => {
    const shown = defined ? 'null' : definitions;
    defined = true;
    return `{"kind":"Table","apiVersion":"${metaVersion}","metadata":${JSON.stringify(metadata)},"columnDefinitions":${shown},"rows":[`;
  };
  const contentOf = ({ content }: StoredObject): UnstructuredObject => resource.conversion?.fromStored(content) ?? content;

  return {
    object: (stored) => {
      const content = contentOf(stored);
      return [Buffer.from(`${head({ resourceVersion: content.metadata?.resourceVersion })}${row(content, includeObject)}]}`)];
    },
    item: (stored) => [Buffer.from(row(contentOf(stored), includeObject))],
    listHead: ({ resourceVersion, continue: token, remainingItemCount }) => head({ resourceVersion, continue: token, remainingItemCount }),
    listTail: ']}',
    bookmark: (resourceVersion, end) => {
      // The annotation for the end of the initial events is in the object of the row, so the metadata is included even for `None`.
      const include = end && includeObject === 'None' ? 'Metadata' : includeObject;
      return `${head({ resourceVersion: String(resourceVersion) })}${row({ metadata: bookmarkMetadata(resourceVersion, end) }, include)}]}`;
    },
  };
}
