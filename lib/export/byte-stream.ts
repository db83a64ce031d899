const encoder = new TextEncoder();

/**
 * A response's body from pieces made as the reader takes them. A failure breaks it off: a file must never look complete.
 */
export function makeByteStream(
  pieces: AsyncGenerator<string | Uint8Array, void>,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        // Databases in this process answer without a pause: one here lets other requests have their turn.
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
