import { checkOptions, type OptionRules, rules } from '../../api/options.js';
import { listed, selection, sending } from './streamRules.js';
import type {
  DeleteOptions,
  GetOptions,
  ListOptions,
  ObjectOptions,
  PatchOptions,
  ReplaceOptions,
  RequestOptions,
  SelectionOptions,
  WriteOptions,
} from '../kubeClient.js';

const request: OptionRules<RequestOptions> = { ...sending, signal: rules.signal, timeoutMs: rules.durationMs };
const object: OptionRules<ObjectOptions> = { ...request, namespace: rules.string };
const write: OptionRules<WriteOptions> = {
  ...object,
  dryRun: rules.boolean,
  fieldManager: rules.string,
  fieldValidation: rules.oneOf('Ignore', 'Warn', 'Strict'),
};
const deletion: OptionRules<DeleteOptions> = {
  ...object,
  gracePeriodSeconds: rules.number({ integer: true, min: 0 }),
  propagationPolicy: rules.oneOf('Foreground', 'Background', 'Orphan'),
  preconditions: rules.object,
  dryRun: rules.boolean,
};
const preconditionRules: OptionRules<NonNullable<DeleteOptions['preconditions']>> = { uid: rules.string, resourceVersion: rules.string };

interface Calls {
  readonly get: GetOptions;
  readonly list: ListOptions;
  readonly create: WriteOptions;
  readonly replace: ReplaceOptions;
  readonly patch: PatchOptions;
  readonly delete: DeleteOptions;
  readonly deleteCollection: DeleteOptions & SelectionOptions;
  readonly getPath: RequestOptions;
}

const calls: { readonly [Name in keyof Calls]: OptionRules<Calls[Name]> } = {
  get: { ...object, resourceVersion: rules.string },
  list: { ...request, ...selection, ...listed },
  create: write,
  replace: { ...write, allowTransformed: rules.boolean },
  patch: { ...write, force: rules.boolean },
  delete: deletion,
  deleteCollection: { ...deletion, ...selection },
  getPath: request,
};

/** Checks the options of a client's method. A misspelt `dryRun` would delete, a misspelt `namespace` would read the whole cluster. */
export function checkRequest<Name extends keyof Calls>(name: Name, options: Calls[Name], part?: string): void {
  const owner = `client.${part === undefined ? '' : `${part}.`}${name}`;
  checkOptions<Calls[Name]>(owner, options, calls[name]);
  const { preconditions } = options as DeleteOptions;
  if (preconditions !== undefined) checkOptions(`${owner}.preconditions`, preconditions, preconditionRules);
}
