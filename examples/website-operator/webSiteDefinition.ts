import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { V1CustomResourceDefinition } from 'rx-informer';

/** The definition of crd.yaml, which can also be applied with `kubectl apply`. */
export const webSiteDefinition = parse(readFileSync(new URL('crd.yaml', import.meta.url), 'utf8')) as V1CustomResourceDefinition;
