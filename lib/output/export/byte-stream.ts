const encoder = new TextEncoder();

/** Returns a response body that makes pieces on demand. A failure aborts it: a truncated file must never look complete. */
export function makeByteStream(
  pieces: AsyncGenerator<string | Uint8Array, void>,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        // In-process databases answer without a pause, so this pause lets other requests run.
        await new Promise((settle) => setImmediate(settle));
        const { done, value } = await pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
      },
      cancel: async () => {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
