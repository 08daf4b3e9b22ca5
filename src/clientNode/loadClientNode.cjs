'use strict';

// Takes the place of the compiled loadClientNode.ts in dist/cjs: `import()` stays `import()`.
exports.loadClientNode = function loadClientNode() {
  return import('@kubernetes/client-node');
};
