// Sources for tests
export { fakeCollection, type FakeCollection } from './fakeCollection.js';
