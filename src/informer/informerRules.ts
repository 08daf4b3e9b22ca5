import { isObservable } from 'rxjs';
import type { OptionRules } from '../api/options/optionRule.js';
import { rules } from '../api/options/rules.js';
import { reflectRules } from '../source/reflector/reflectRules.js';
import type { InformerOptions, ResourceInformerOptions, SourceInformerOptions } from './informerOptions.js';

const isNamespaces = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((name: unknown) => typeof name === 'string');

const ownRules = {
  name: rules.nonEmptyString,
  indexers: rules.any,
  transform: rules.function,
  initialObjects: rules.iterable,
  deltaFifo: rules.either(rules.boolean, rules.object),
  resyncPeriodMs: rules.durationMs,
  idleGraceMs: rules.durationMs,
  freeze: rules.boolean,
  onError: rules.function,
  logger: rules.withMethods('warn'),
  scheduler: rules.scheduler,
  trace: rules.function,
};

/**
 * The rules of the options of an informer over a lister-watcher.
 *
 * @internal
 */
export const informerRules: OptionRules<InformerOptions<never>> = { ...reflectRules, ...ownRules };

/**
 * The rules of the options of an informer over source events.
 *
 * @internal
 */
export const sourceInformerRules: OptionRules<SourceInformerOptions<never>> = {
  ...ownRules,
  resource: rules.string,
  scopes: rules.listOf(rules.string, 'strings'),
};

/**
 * The rules of the options of an informer on a resource. Selectors are checked where they are parsed.
 *
 * @internal
 */
export const resourceInformerRules: OptionRules<ResourceInformerOptions<never>> = {
  ...informerRules,
  namespace: {
    expected: 'a string, a list of at least one string, or an Observable of lists',
    holds: (value) => typeof value === 'string' || isNamespaces(value) || isObservable(value),
  },
  labelSelector: rules.either(rules.string, rules.object),
  fieldSelector: rules.string,
  managedFields: rules.oneOf('drop', 'keep'),
  metadataOnly: rules.boolean,
  tweakListOptions: rules.function,
  watchList: rules.boolean,
  readYourWrites: rules.boolean,
  warmStart: rules.object,
};
