// What the packages of this repository need and users do not: it may change in any version.
export { labelsOfObjectsIn, trackNeeds, untyped, viewPortOf } from './kernel/viewPort.js';
export type { HookOptions } from './react/useSelected.js';
