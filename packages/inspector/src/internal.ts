// What the packages of this repository need and users do not: it may change in any version.
export { isInspection, RecordedScene } from './inspection.js';
export { serveScene } from './startInspector.js';
