/**
 * Whether a request of `fetch` can ask for an answer that is not compressed. Browsers decide on their own what they take, and leave the header out.
 *
 * A server since Kubernetes 1.37 compresses a streamed list as one gzip member per flush, of which browsers read the first and take the answer for complete.
 */
export function asksForIdentity(): boolean {
  if (typeof Request !== 'function') return true;
  return new Request('http://localhost/', { headers: { 'accept-encoding': 'identity' } }).headers.has('accept-encoding');
}
