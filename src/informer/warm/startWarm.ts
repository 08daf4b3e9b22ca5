// Pages get another one.
export { warmCacheOf as startWarm } from './warmStart.js';
