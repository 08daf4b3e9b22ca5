// An API server in the box
export { startApiServer, type TestApiServer } from './startApiServer.js';
export { startWorkload, type Workload, type WorkloadOptions } from './workload/startWorkload.js';
export type { PodLifeOptions } from './workload/podLife.js';

// Sources for tests
export { FakeListerWatcher, type FakeListerWatcherOptions, type FakeRequest } from './fakeListerWatcher.js';
export { scriptedListerWatcher, type ListerWatcherScript, type ScriptedRequest } from './scriptedListerWatcher.js';
export { connectionError, expiredStatus, failureStatus, statusError, tooLargeResourceVersionStatus } from './serverErrors.js';
export { foldSource, type SourceFold } from './foldSource.js';

// Suites for parts of one's own
export { sourceConformance } from './sourceConformance.js';
export type { SourceConformanceCase, SourceFactory } from './sourceConformanceCase.js';
export { checkSourceGrammar } from './checkSourceGrammar.js';
export { storeConformance } from './storeConformance.js';
export type { StoreConformanceCase, StoreFactory } from './storeConformanceCase.js';
export { checkOperatorLaw, type OperatorLaw } from './checkOperatorLaw.js';
export { randomHistory, seededRandom, type SampleObject } from './randomHistory.js';

// Time
export { advanceBy } from './advanceBy.js';
export { createManualClock, type ManualClock } from './manualClock.js';
