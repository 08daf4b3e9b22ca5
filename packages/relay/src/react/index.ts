export { RelayProvider } from './relayProvider.js';
export { useRelay, type RelayResult } from './useRelay.js';
export { relayHooks, type RelayHooks } from './relayHooks.js';
export { useRelayRows } from './useRelayRows.js';
