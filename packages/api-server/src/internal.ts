// What the packages of this repository need and users do not: it may change in any version.
export type { WebhookService } from './admission/webhookService.js';
export { isLoopback } from './apiServerOptions.js';
export { yamlOf } from './http/yamlText.js';
export { administrator } from './auth/user.js';
export { conversionOf } from './kinds/conversions.js';
export type { UsedRight } from './rbac/rightsLog.js';
export { type RbacOptions, usedRightsOf } from './rbac/usedRights.js';
export { columnsOf } from './tables/columnsOf.js';
export { humanDuration } from './tables/humanDuration.js';
export { parseJsonPath } from './tables/jsonPath.js';
export { printerColumns } from './tables/printerColumns.js';
export { column, type TableColumn } from './tables/tableColumn.js';
export { demoScript } from './workload/demoScript.js';
export type { PodLifeOptions } from './workload/podLife.js';
export type { WorkloadOptions } from './workload/startWorkload.js';
