// Prints the names of failed tests, and "N passed, N failed", over the JSON results of all runs of Jest, and exits with 1 when a test failed or none ran.
import { readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

const reports = new URL('../reports/', import.meta.url);

function filesOf(folder) {
  try {
    return readdirSync(folder).filter((file) => file.endsWith('.json'));
  } catch {
    return [];
  }
}

let passed = 0;
let failed = 0;
for (const file of filesOf(reports)) {
  const results = JSON.parse(readFileSync(new URL(file, reports), 'utf8'));
  passed += results.numPassedTests;
  failed += results.numFailedTests + results.numRuntimeErrorTestSuites; // a suite that does not load has no tests to fail
  for (const { name, status, assertionResults } of results.testResults) {
    const names = assertionResults.filter((test) => test.status === 'failed').map((test) => test.fullName);
    if (status === 'failed') console.log(`failed: ${relative('.', name)}: ${names.join('; ') || 'does not load'}`);
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
