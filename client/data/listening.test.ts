import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  addListening,
  clearListening,
  LISTENING_MONTHS_MAX,
  type ListeningRow,
  OTHER_SONGS_ID,
  readListening,
  readListeningYears,
  restoreListening,
  SONGS_PER_MONTH_MAX,
} from './listening.ts'
import { createMemoryDatabase } from './memory-database.ts'
import { clearHistory, readRecentPlays } from './recent-plays.ts'
import { createTestSong } from './testing/rows.ts'

const createListeningRow = (monthText: string, songNumber: number, heardMs = 60_000, playCount = 1) => ({
  month: monthText,
  songId: `song${songNumber}`,
  title: `Song ${songNumber}`,
  artist: 'Kirano',
  heardMs,
  playCount,
})
const sumHeardMs = (rows: readonly ListeningRow[]) => rows.reduce((sum, { heardMs }) => sum + heardMs, 0)
const readListeningRows = (database: ReturnType<typeof createMemoryDatabase>) => database.read((tables) => tables.listening.all())

it('listening: a long title is cut between code points, so that no half of an emoji is stored', async () => {
  const database = createMemoryDatabase()
  const title = `${'x'.repeat(119)}\u{1F3B5}\u{1F3B5}`
  await addListening(database, { ...createListeningRow('2026-11', 1), title })
  expect((await readListeningRows(database))[0]?.title).toBe(title.slice(0, -2))
})

it('listening: the times for which a song is played in a month are added up, even if several tabs write at the same time', async () => {
  const database = createMemoryDatabase()
  await Promise.all(Array.from({ length: 40 }, () => addListening(database, createListeningRow('2026-11', 1))))
  await addListening(database, createListeningRow('2026-12', 1, 500))
  await addListening(database, createListeningRow('2025-01', 2, 7))
  expect(await readListeningRows(database)).toHaveLength(3)
  expect(await database.read(readListeningYears)).toEqual(['2026', '2025'])
  const listeningRows = await database.read((tables) => readListening(tables, '2026'))
  expect(listeningRows.map(({ month, heardMs, playCount }) => [month, heardMs, playCount])).toEqual([
    ['2026-11', 2_400_000, 40],
    ['2026-12', 500, 1],
  ])
})

it('listening: the number of rows of a month is limited: the least played songs are added up in one row, and the song that is playing keeps its row', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ song: fc.nat(SONGS_PER_MONTH_MAX + 60), heardMs: fc.nat(90_000) }), { minLength: 330, maxLength: 500 }),
      async (listeningEntries) => {
        const database = createMemoryDatabase()
        let totalHeardMs = 0
        for (const { song, heardMs } of listeningEntries) {
          totalHeardMs += heardMs
          await addListening(database, createListeningRow('2026-11', song, heardMs))
        }
        const listeningRows = await readListeningRows(database)
        expect(listeningRows.filter(({ songId }) => songId !== OTHER_SONGS_ID).length).toBeLessThanOrEqual(SONGS_PER_MONTH_MAX)
        expect(sumHeardMs(listeningRows)).toBe(totalHeardMs)
        expect(listeningRows.reduce((count, { playCount }) => count + playCount, 0)).toBe(listeningEntries.length)
        expect(listeningRows.some(({ songId }) => songId === `song${listeningEntries.at(-1)?.song}`)).toBe(true)
      },
    ),
    { numRuns: 5 },
  )
})

it('listening: the oldest months are removed, but not the current month, even if the clock is years behind or ahead', async () => {
  const database = createMemoryDatabase()
  for (let index = 0; index < LISTENING_MONTHS_MAX + 12; index++)
    await addListening(
      database,
      createListeningRow(`${2026 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`, index % 3),
    )
  expect(await database.read(readListeningYears)).toEqual(['2031', '2030', '2029', '2028', '2027'])
  await addListening(database, createListeningRow('1970-01', 1))
  expect(await database.read(readListeningYears)).toContain('1970')
  await addListening(database, createListeningRow('2099-01', 1))
  const years = await database.read(readListeningYears)
  expect(years).toEqual(['2099', '2031', '2030', '2029', '2028', '2027'])
  expect(await readListeningRows(database)).toHaveLength(LISTENING_MONTHS_MAX)
})

it('listening: a cleared year can be restored, and times that were added in between are not lost', async () => {
  const database = createMemoryDatabase()
  await addListening(database, createListeningRow('2025-03', 1))
  await addListening(database, createListeningRow('2026-03', 1))
  let removedRows: ListeningRow[] = []
  await database.change(async (tables) => {
    removedRows = await clearListening(tables, '2026')
  })
  expect(await database.read(readListeningYears)).toEqual(['2025'])
  await addListening(database, createListeningRow('2026-03', 1, 5))
  await database.change((tables) => restoreListening(tables, removedRows))
  expect(sumHeardMs(await database.read((tables) => readListening(tables, '2026')))).toBe(60_005)
})

it('listening: clearing the history also clears all years of listening times, and Undo restores both', async () => {
  const database = createMemoryDatabase()
  await database.change((tables) => tables.recentPlays.put([{ id: createTestSong(1).youtube_id, song: createTestSong(1), playedAtMs: 1 }]))
  await addListening(database, createListeningRow('2025-03', 1))
  const undoClear = await clearHistory(database)
  expect([await readListeningRows(database), await database.read(readRecentPlays)]).toEqual([[], []])
  await undoClear()
  expect(await readListeningRows(database)).toHaveLength(1)
  expect(await database.read(readRecentPlays)).toHaveLength(1)
})
