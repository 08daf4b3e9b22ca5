// The entry `rx-informer/relay-client`: for pages. Nothing of Node, and nothing of the relay's own side.
export { relaySource, type RelaySourceOptions } from './relaySource.js';
export type { RelayFields, RelayWindow } from '../wire/frames.js';
