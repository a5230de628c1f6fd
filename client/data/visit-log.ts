import type { LocalDatabase } from './local-database.ts'

const VISIT_WRITE_DELAY_MS = 5_000

/**
 * Records when lists and details were last shown, and writes these times to the database in batches. Eviction removes the least recently
 * used rows first.
 */
export function createVisitLog(database: LocalDatabase, nowMs: () => number = Date.now) {
  const usedAtMsByKey = new Map<string, number>()
  let writeTimer: ReturnType<typeof setTimeout> | undefined

  async function writeVisits() {
    clearTimeout(writeTimer)
    writeTimer = undefined
    const pendingTimeByKey = new Map(usedAtMsByKey)
    usedAtMsByKey.clear()
    if (pendingTimeByKey.size === 0) return
    await database.change(async (tables) => {
      const rows = await tables.visits.getMany([...pendingTimeByKey.keys()])
      await tables.visits.put(rows.flatMap((row) => (row ? [{ ...row, usedAtMs: pendingTimeByKey.get(row.key) ?? row.usedAtMs }] : [])))
    })
  }

  return {
    note(visitKey: string) {
      usedAtMsByKey.set(visitKey, nowMs())
      writeTimer ??= setTimeout(() => {
        writeVisits().catch(() => {
          // A write fails if the database was closed before it. The failure is ignored, because it only makes eviction treat these rows as used less
          // recently.
        })
      }, VISIT_WRITE_DELAY_MS)
    },
    write: writeVisits,
  }
}
