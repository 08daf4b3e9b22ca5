// The entry `@rx-informer/relay/client`: for pages. Imports nothing of Node, and nothing of the relay's server side.
export { loadRelay } from './loadRelay.js';
export { relaySource, type RelayState } from './relaySource.js';
