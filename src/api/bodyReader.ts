/** Reads the body of one `fetch` answer. */
export interface BodyReader {
  /** Passes on each chunk. Resolves at the end of the body, or when it was cancelled. */
  read(response: Response, take: (bytes: Uint8Array) => void): Promise<void>;
  /** Cancels the body, even if its answer has not arrived yet. */
  cancel(): void;
}

/**
 * Makes the reader of one answer. To give up an answer, abort the request and also cancel its body: Node's `fetch` holds the signal weakly, so that after a garbage
 * collection an abort no longer reaches a body that is being read, and its connection stays open.
 */
export function bodyReader(): BodyReader {
  let isCancelled = false;
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  // Cancelling a body that was aborted rejects, and is not needed.
  const end = (): void => void reader?.cancel().catch(() => undefined);
  return {
    read: async ({ body }, take) => {
      reader = body?.getReader();
      if (isCancelled) end();
      for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) take(part.value);
    },
    cancel: () => {
      isCancelled = true;
      end();
    },
  };
}
