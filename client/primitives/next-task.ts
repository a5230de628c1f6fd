/**
 * Resolves in a new task of the event loop, after pending input events and a frame that is due. A message event is used because browsers throttle
 * timers of hidden pages.
 */
export function waitForNextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(undefined)
  })
}
