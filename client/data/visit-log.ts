import type { LocalDatabase } from './local-database.ts'

const WRITE_DELAY_MS = 5_000

/**
 * Records when lists and details were last shown, and writes these times to the database in batches. Eviction removes the least recently
 * used rows first.
 */
export function createVisitLog(database: LocalDatabase, nowMs: () => number = Date.now) {
  const usedAtMs = new Map<string, number>()
  let timer: ReturnType<typeof setTimeout> | undefined

  async function writeVisits() {
    clearTimeout(timer)
    timer = undefined
    const pendingTimes = new Map(usedAtMs)
    usedAtMs.clear()
    if (pendingTimes.size === 0) return
    await database.change(async (tables) => {
      const rows = await tables.visits.getMany([...pendingTimes.keys()])
      await tables.visits.put(rows.flatMap((row) => (row ? [{ ...row, usedAtMs: pendingTimes.get(row.key) ?? row.usedAtMs }] : [])))
    })
  }

  return {
    note(visitKey: string) {
      usedAtMs.set(visitKey, nowMs())
      timer ??= setTimeout(() => {
        writeVisits().catch(() => {
          // A write fails if the database was closed before it. The failure is ignored, because it only makes eviction treat these rows as used less
          // recently.
        })
      }, WRITE_DELAY_MS)
    },
    write: writeVisits,
  }
}
