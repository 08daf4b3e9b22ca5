import http from 'node:http';

/** Reads a body and discards it. */
export function getBytes(url: string, onData: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    http.get(url, (response) => response.on('data', onData).on('end', resolve)).on('error', reject);
  });
}

/** Reads the lines of an endless body. */
export function getLines(url: string, onLine: (line: Buffer) => void): void {
  let pending: Buffer[] = [];
  void getBytes(url, (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      const part = chunk.subarray(start, end);
      onLine(pending.length === 0 ? part : Buffer.concat([...pending, part]));
      pending = [];
      start = end + 1;
    }
    if (start < chunk.length) pending.push(chunk.subarray(start));
  });
}
