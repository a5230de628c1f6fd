/** Runs some work, and counts the turns of the event loop that begin before it ends. Other requests can be answered in these turns. */
export async function countEventLoopTurns<T>(runWork: () => Promise<T>): Promise<{ result: T; turns: number }> {
  let turnCount = 0
  let isWorkRunning = true
  const countTurn = () => {
    if (!isWorkRunning) return
    turnCount++
    setImmediate(countTurn)
  }
  setImmediate(countTurn)
  const result = await runWork()
  isWorkRunning = false
  return { result, turns: turnCount }
}
