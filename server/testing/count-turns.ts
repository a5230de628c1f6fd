/** Runs some work, and counts the turns of the event loop that begin before it ends. Other requests can be answered in these turns. */
export async function countEventLoopTurns<T>(runWork: () => Promise<T>): Promise<{ result: T; eventLoopTurnCount: number }> {
  let eventLoopTurnCount = 0
  let isWorkRunning = true
  const countTurn = () => {
    if (!isWorkRunning) return
    eventLoopTurnCount++
    setImmediate(countTurn)
  }
  setImmediate(countTurn)
  const result = await runWork()
  isWorkRunning = false
  return { result, eventLoopTurnCount }
}
