import type { Page } from '@playwright/test'
import { DATABASE_NAME } from '../client/data/dexie-database.ts'
import { RECENT_COUNT_KEY, RECENT_SONGS_SHOWN } from '../contract/recent-songs.ts'
import type { Song } from '../contract/song.ts'
import { mainRegion, waitForHydration } from './steps.ts'

/**
 * Stores plays of `songs` and the time for which they were heard on the device, as if each song was played a minute before the previous one, and
 * reloads the page, which must be the home page.
 */
export async function addRecentPlays(page: Page, songs: readonly Song[]) {
  await waitForHydration(page)
  // The page opens its database at the first movement of the pointer.
  await page.mouse.move(5, 5)
  await page.waitForFunction(
    async (name) => (await indexedDB.databases()).some((each) => each.name === name && (each.version ?? 0) > 1),
    DATABASE_NAME,
  )
  const playRows = songs.map((song, index) => ({
    id: song.youtube_id,
    song,
    contextId: song.category_id,
    playedAtMs: Date.now() - index * 60_000,
  }))
  const monthText = new Date().toISOString().slice(0, 7)
  const listeningRows = songs.map(({ youtube_id: songId, title, author_name: artist }) => ({
    ...{ key: `${monthText} ${songId}`, month: monthText, songId, title, artist },
    ...{ heardMs: 200_000, playCount: 1 },
  }))
  await page.evaluate(
    async ([databaseName, visitKey, playCount, listeningRows]) => {
      // Opens the database again and again until the page has created its tables.
      let database: IDBDatabase
      for (;;) {
        const openRequest = indexedDB.open(databaseName)
        await new Promise((resolve) => openRequest.addEventListener('success', resolve))
        database = openRequest.result
        if (database.objectStoreNames.contains('listening')) break
        database.close()
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      const transaction = database.transaction(Object.keys(listeningRows), 'readwrite')
      for (const [table, tableRows] of Object.entries(listeningRows)) for (const row of tableRows) transaction.objectStore(table).put(row)
      await new Promise((resolve) => transaction.addEventListener('complete', resolve))
      database.close()
      localStorage.setItem(visitKey, String(playCount))
    },
    [
      DATABASE_NAME,
      RECENT_COUNT_KEY,
      Math.min(songs.length, RECENT_SONGS_SHOWN),
      { recentPlays: playRows, listening: listeningRows, songs },
    ] as const,
  )
  await page.reload()
  await mainRegion(page).getByRole('list', { name: 'Continue listening' }).getByRole('link').first().waitFor()
}
