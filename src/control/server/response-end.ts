/** Calls back once when a response's body has been read or is given up. */
export function whenRead(response: Response, done: () => void): Response {
  const { body, status, headers } = response;
  if (body === null) {
    done();
    return response;
  }
  const reader = body.getReader();
  const once = onlyOnce(done);
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true;
  const counted = new ReadableStream({
    start: (controller) => {
      // The headers leave with the first bytes only: a comment tells the client at once that the stream is open.
      if (isStream) {
        controller.enqueue(new TextEncoder().encode(': open\n\n'));
      }
    },
    pull: async (controller) => {
      try {
        const { done: isEnd, value } = await reader.read();
        if (isEnd) {
          once();
          controller.close();
        } else {
          controller.enqueue(value);
        }
      } catch (error) {
        once();
        controller.error(error);
      }
    },
    cancel: async (reason) => {
      once();
      await reader.cancel(reason);
    },
  });
  return new Response(counted, { status, headers });
}

function onlyOnce(call: () => void): () => void {
  let isCalled = false;
  return () => {
    if (!isCalled) {
      isCalled = true;
      call();
    }
  };
}
