export type { CollectionState } from '../views/kernel/collectionStore.js';
export { useCollection } from './useCollection.js';
