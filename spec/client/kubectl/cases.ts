import { readingCases } from './readingCases.js';
import { serverCases } from './serverCases.js';
import { trustCases } from './trustCases.js';
import { userCases } from './userCases.js';
import { findingCases } from './findingCases.js';
import { proxyCases } from './proxyCases.js';
import { pluginCases } from './pluginCases.js';
import type { ConnectCase } from './connectCase.js';

/** What kubectl and `createClient` are both given. */
export const connectCases: readonly ConnectCase[] = [
  ...findingCases(),
  ...readingCases(),
  ...serverCases(),
  ...trustCases(),
  ...userCases(),
  ...proxyCases(),
  ...pluginCases(),
];
