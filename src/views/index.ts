export type { CollectionSignal } from './collectionSignal.js';
export { derive } from './derive.js';
export { deriveMany, type DeriveManyOptions } from './deriveMany.js';
export { deriveWithStatus, type ValueAndStatus, type ViewWithStatus } from './deriveWithStatus.js';
export { groupObjects } from './groupObjects.js';
export { type Clusters, type ClusterView, mergeClusters, type MergeClustersOptions } from './mergeClusters.js';
export { mergeViews, type MergeViewsOptions } from './mergeViews.js';
export { none } from './none.js';
export type { ObjectGroup } from './objectGroup.js';
export { objectsByIndex } from './objectsByIndex.js';
export type { Read, ReadSelection } from './read.js';
export { reduceObjects } from './reduceObjects.js';
export type { ReduceObjectsOptions } from './reduceObjectsOptions.js';
export {
  type TanstackCollectionOptions,
  tanstackCollectionOptions,
  type TanstackRow,
  type TanstackSync,
} from './tanstackCollectionOptions.js';
export { topObjects, type TopObjectsOptions } from './topObjects.js';
export type { View } from './view.js';
export type { ViewCounters } from './viewCounters.js';
export type { ViewExplanation, ViewInput } from './viewExplanation.js';
export type { ViewOptions } from './viewOptions.js';
export { toSignal } from './toSignal.js';
