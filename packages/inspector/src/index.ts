export { startInspector, type Inspector } from './startInspector.js';
export { inspectPage } from './inspectPage.js';
export { diagnose } from './warnings/diagnose.js';
export type { Warning } from './warnings/warning.js';
export { dump, type Dump } from './dump.js';
