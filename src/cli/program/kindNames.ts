import { resources } from '../../api/resources.js';

/**
 * The plurals of the built-in resources, in the order of the alphabet.
 */
export function kindNames(): string[] {
  const plurals = Object.values(resources)
    .flatMap((group) => Object.values(group as Readonly<Record<string, object>>))
    .flatMap((version) => Object.values<{ readonly plural: string }>(version as never).map(({ plural }) => plural));
  return [...new Set(plurals)].sort();
}
