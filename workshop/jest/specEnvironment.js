import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

const { createContext } = vm;

/** Jest's, but each spec has a plain global object. Jest's is a proxy, by which every look at a global takes a hundred times as long. */
export default class extends TestEnvironment {
  constructor(config, context) {
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(config, context);
    } finally {
      vm.createContext = createContext;
    }
    // Jest sets 100, and `expect` makes errors even where nothing fails.
    this.global.Error.stackTraceLimit = 10; // as in Node
  }
}
