const secrets: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|Basic)\s+[^\s"',;]+/gi, '$1 ***'],
  // A JSON Web Token, whole or cut off.
  [/\beyJ[\w-]{5,}(\.[\w-]*){0,2}/g, '***'],
  // A value under a telling name: in a query or an environment, in JSON, and as plain words where nothing else can be meant.
  [/\b([\w-]*(?:token|password|passwd|secret|api[_-]?key))=("[^"]*"?|'[^']*'?|[^\s"',;&]+)/gi, '$1=***'],
  [/("[\w-]*(?:token|password|passwd|secret|api[_-]?key|client-key-data)"\s*:\s*)"(?:[^"\\]|\\.)*"?/gi, '$1"***"'],
  [/\b((?:access|refresh|id)[_-]token|client[_-]secret|password)(:\s+)[^\s"',;]+/gi, '$1$2***'],
  // User and password in a URL.
  [/(:\/\/)[^/@\s]+@/g, '$1***@'],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, '***'],
];

/** A text of foreign origin with `***` in place of what looks like a secret. */
export function hideSecrets(text: string): string {
  return secrets.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text);
}
