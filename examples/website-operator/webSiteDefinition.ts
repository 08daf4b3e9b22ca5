import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { V1CustomResourceDefinition } from '../../src/index.js';

/** The definition of crd.yaml, which `kubectl apply` takes, too. */
export const webSiteDefinition = parse(readFileSync(new URL('crd.yaml', import.meta.url), 'utf8')) as V1CustomResourceDefinition;
