/**
 * Sends `count` requests, one each `stepMs`, whether or not earlier ones were answered. Resolves with the response times in milliseconds of those that were due after
 * `warmUpMs`. A response time is measured from the time when the request was due, so that waiting for earlier requests counts.
 */
export async function sendAtTimes(
  { count, stepMs, warmUpMs }: { count: number; stepMs: number; warmUpMs: number },
  sendRequest: (index: number) => Promise<void>,
): Promise<number[]> {
  const responseMs: number[] = []
  const startMs = performance.now()
  const pendingRequests = new Set<Promise<void>>()
  for (let sentCount = 0; sentCount < count; ) {
    while (sentCount < count && startMs + sentCount * stepMs <= performance.now()) {
      const dueMs = startMs + sentCount * stepMs
      const isRequestMeasured = sentCount * stepMs >= warmUpMs
      const requestPromise = sendRequest(sentCount++).then(() => {
        pendingRequests.delete(requestPromise)
        if (isRequestMeasured) responseMs.push(performance.now() - dueMs)
      })
      pendingRequests.add(requestPromise)
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await Promise.all(pendingRequests)
  return responseMs
}
