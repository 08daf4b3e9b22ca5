export { FakeListerWatcher, type FakeListerWatcherOptions, type FakeRequest } from './fakes/fakeListerWatcher.js';
export { expiredStatus } from './fakes/serverErrors.js';

// Suites for parts of one's own
export { sourceConformance } from './suites/sourceConformance.js';
export type { SourceConformanceCase, SourceFactory } from './suites/sourceConformanceCase.js';
export { type ServedSourceFactory, sourceConvergence, type SourceConvergenceCase } from './suites/sourceConvergence.js';
export { checkSourceGrammar } from './suites/checkSourceGrammar.js';
export { checkWatchGuarantees, type GuaranteeViolation } from './suites/guarantees/checkWatchGuarantees.js';
export { type HistoryWrite, type Selects, WatchHistory } from './suites/guarantees/watchHistory.js';
export type { WatchGuarantee } from './suites/guarantees/watchGuarantees.js';
export type { ObservedEvent, WatchObservation } from './suites/guarantees/watchObservation.js';
export { observationsOfEvents } from './suites/guarantees/observationsOfEvents.js';
export { storeConformance } from './suites/storeConformance.js';
export type { StoreConformanceCase, StoreFactory } from './suites/storeConformanceCase.js';
export { checkOperatorLaw, type OperatorLaw } from './suites/checkOperatorLaw.js';
export type { SampleObject } from './fakes/randomHistory.js';

// Marbles, events and objects
export { createTestScheduler, type MarbleHelpers, runMarbles } from './marbles/runMarbles.js';
export { added, deleted, synced, updated } from './marbles/resourceEvents.js';
export { changeOf, type ChangeFields, snapshotOf } from './marbles/resourceChanges.js';
export {
  sourceAdded,
  sourceBookmark,
  sourceDeleted,
  sourceInit,
  sourceModified,
  sourcePage,
  sourceReady,
  sourceStatus,
} from './marbles/sourceEvents.js';
export { configMap, deployment, pod } from './fakes/fixtures.js';
export { objectOf } from './fakes/objectOf.js';
export type { Overrides } from './fakes/withOverrides.js';
export {
  type ExpectedEvent,
  type MatcherResult,
  type ResourceEventMatchers,
  resourceEventMatchers,
} from './marbles/resourceEventMatchers.js';

// Time
export { advanceBy } from './marbles/advanceBy.js';
export { createManualClock, type ManualClock } from './fakes/manualClock.js';
