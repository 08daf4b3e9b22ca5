// The entry `rx-informer/relay-client`: for pages. Imports nothing of Node, and nothing of the relay's server side.
export { relaySource, type RelaySourceOptions } from './relaySource.js';
export type { RelayFields, RelayWindow } from '../wire/frames.js';
