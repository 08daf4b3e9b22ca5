// What the packages of this repository need and users do not: it may change in any version.
export { isLoopback } from './apiServerOptions.js';
export { administrator } from './auth/user.js';
export { usedRightsOf } from './rbac/usedRights.js';
export { demoScript } from './workload/demoScript.js';
