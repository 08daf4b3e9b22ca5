export { RelayProvider, type RelayProviderProps } from './relayProvider.js';
export type { RelayClientOptions } from './relayClient.js';
export { useRelay, type RelayResult, type UseRelayOptions } from './useRelay.js';
export { relayHooks, type RelayHooks } from './relayHooks.js';
export { useRelayRows, type RelayRows, type UseRelayRowsOptions } from './useRelayRows.js';
export type { FieldPath } from '../wire/fieldPath.js';
