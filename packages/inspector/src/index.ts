export { startInspector, type Inspector, type InspectorOptions } from './startInspector.js';
export { inspectPage, type PageInspector, type PageInspectorOptions } from './inspectPage.js';
export { diagnose, type DiagnoseOptions } from './warnings/diagnose.js';
export type { Warning, WarningCode } from './warnings/warning.js';
export { dump, type Dump, type DumpOptions } from './dump.js';
