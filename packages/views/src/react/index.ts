export { useCollection } from './useCollection.js';
export { useObject } from './useObject.js';
export type { CollectionState } from '../kernel/collectionStore.js';
