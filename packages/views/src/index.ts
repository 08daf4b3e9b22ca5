export { collectionOf, type CollectionOfOptions, type ValueCollection } from './collectionOf.js';
export { derive, type Synchronous } from './derive.js';
export { deriveMany, type DeriveManyOptions } from './deriveMany.js';
export { deriveWithStatus, type ValueAndStatus, type ViewWithStatus } from './deriveWithStatus.js';
export { groupObjects } from './groupObjects.js';
export type { ObjectGroup } from './groupObjects.js';
export { type Clusters, type ClusterView, mergeClusters, type MergeClustersOptions } from './mergeClusters.js';
export { mergeViews, type MergeViewsOptions, type ObjectIn } from './mergeViews.js';
export { objectsByIndex } from './objectsByIndex.js';
export { keep, none, type Read, type ReadSelection } from './view.js';
export { parseQuantity } from 'rx-informer/internal';
export { reduceObjects, type ReduceObjectsOptions, type TotalFunctions } from './reduceObjects.js';
export {
  type TanstackCollectionOptions,
  tanstackCollectionOptions,
  type TanstackRow,
  type TanstackSync,
} from './tanstackCollectionOptions.js';
export { topObjects, type OrderedView, type OrderedWindow, type OrderWindowOptions, type TopObjectsOptions } from './topObjects.js';
export type { View, ViewCounters, ViewExplanation, ViewInput } from './view.js';
export type { ViewOptions } from './view.js';
export { type CollectionSignal, toSignal } from './toSignal.js';
