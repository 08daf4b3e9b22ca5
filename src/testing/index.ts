export { FakeListerWatcher } from './fakes/fakeListerWatcher.js';
export { expiredStatus } from './fakes/serverErrors.js';

// Suites for parts of one's own
export { sourceConformance } from './suites/sourceConformance.js';
export { sourceConvergence } from './suites/sourceConvergence.js';
export { checkSourceGrammar } from './suites/checkSourceGrammar.js';
export { checkWatchGuarantees, type GuaranteeViolation } from './suites/guarantees/checkWatchGuarantees.js';
export { WatchHistory } from './suites/guarantees/watchHistory.js';
export { observationsOfEvents } from './suites/guarantees/observationsOfEvents.js';
export { storeConformance } from './suites/storeConformance.js';
export { checkOperatorLaw } from './suites/checkOperatorLaw.js';

// Marbles, events and objects
export { runMarbles } from './marbles/runMarbles.js';
export { added, deleted, synced, updated } from './marbles/resourceEvents.js';
export { changeOf, snapshotOf } from './marbles/resourceChanges.js';
export { configMap, deployment, pod } from './fakes/fixtures.js';
export { objectOf } from './fakes/objectOf.js';
export { type ResourceEventMatchers, resourceEventMatchers } from './marbles/resourceEventMatchers.js';

// Time
export { advanceBy } from './marbles/advanceBy.js';
export { createManualClock } from './fakes/manualClock.js';
