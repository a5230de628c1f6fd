import type { CatalogueStore } from './store.ts'

const WRITE_AFTER_MS = 5_000

/** Notes when lists and details were last shown, and writes it down now and then: eviction takes the longest unused. */
export function createUseLog(store: CatalogueStore, nowMs: () => number = Date.now) {
  const used = new Map<string, number>()
  let timer: ReturnType<typeof setTimeout> | undefined

  async function write() {
    clearTimeout(timer)
    timer = undefined
    const noted = new Map(used)
    used.clear()
    if (noted.size === 0) return
    await store.change(async (tables) => {
      const rows = await tables.visits.getMany([...noted.keys()])
      await tables.visits.put(rows.flatMap((row) => (row ? [{ ...row, usedAtMs: noted.get(row.key) ?? row.usedAtMs }] : [])))
    })
  }

  return {
    note(key: string) {
      used.set(key, nowMs())
      timer ??= setTimeout(() => void write(), WRITE_AFTER_MS)
    },
    write,
  }
}
