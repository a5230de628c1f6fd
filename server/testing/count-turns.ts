/** Runs some work, and counts the turns of the event loop that begin before it ends. Other requests can be answered in these turns. */
export async function countEventLoopTurns<T>(work: () => Promise<T>): Promise<{ result: T; turns: number }> {
  let turns = 0
  let isRunning = true
  const countTurn = () => {
    if (!isRunning) return
    turns++
    setImmediate(countTurn)
  }
  setImmediate(countTurn)
  const result = await work()
  isRunning = false
  return { result, turns }
}
