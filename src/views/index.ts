export { derive } from './derive.js';
export { deriveMany, type DeriveManyOptions } from './deriveMany.js';
export { none } from './none.js';
export type { Read, ReadSelection } from './read.js';
export type { View } from './view.js';
export type { ViewCounters } from './viewCounters.js';
export type { ViewExplanation, ViewInput } from './viewExplanation.js';
export type { ViewOptions } from './viewOptions.js';
