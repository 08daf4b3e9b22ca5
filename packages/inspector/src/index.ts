export { startInspector, type Inspector, type InspectorOptions } from './startInspector.js';
