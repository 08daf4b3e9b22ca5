export type { CollectionState } from '../kernel/collectionStore.js';
export type { HookOptions } from './useSelected.js';
export { useCollection } from './useCollection.js';
export { useObject } from './useObject.js';
