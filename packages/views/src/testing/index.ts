// Sources for tests
export { fakeCollection, type FakeCollection, type FakeCollectionOptions } from './fakeCollection.js';
