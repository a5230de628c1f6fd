import type { Page } from '@playwright/test'
import type { Song } from '../../contract/song.ts'
import { mainRegion } from '../steps.ts'
import type { Screenshot } from './shot.ts'

/** Lists the screenshots of the page of a year. `songs` were heard in the months of this year. */
export function createYearScreenshots(songs: readonly Song[]): Screenshot[] {
  const year = new Date().getFullYear()
  const rows = songs.flatMap(({ youtube_id, title, author_name }, index) =>
    Array.from({ length: 1 + (index % 4) }, (_, playIndex) => {
      const monthText = `${year}-${String(1 + ((index * 5 + playIndex * 3) % 12)).padStart(2, '0')}`
      const playCount = 2 + ((index * 7) % 19)
      return {
        key: `${monthText} ${youtube_id}`,
        month: monthText,
        songId: youtube_id,
        title,
        artist: author_name,
        heardMs: playCount * 190_000,
        playCount,
      }
    }),
  )
  const waitForEmptyYear = (page: Page) => mainRegion(page).getByRole('heading', { name: 'Nothing counted yet' }).waitFor()
  /** Stores the rows in the database of the page, and opens the page again. */
  async function openFilledYear(page: Page) {
    await waitForEmptyYear(page)
    await page.evaluate(async (listeningRows) => {
      const [storedDatabase] = (await indexedDB.databases()).filter(({ name }) => name?.startsWith('varispeed'))
      const request = indexedDB.open(storedDatabase?.name ?? '')
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
      const transaction = database.transaction('listening', 'readwrite')
      for (const row of listeningRows) transaction.objectStore('listening').put(row)
      await new Promise((resolve) => {
        transaction.oncomplete = resolve
      })
      database.close()
    }, rows)
    await page.reload()
    await mainRegion(page).getByRole('list', { name: 'Songs' }).waitFor()
  }
  return [
    { name: 'year-empty', path: '/year', showState: waitForEmptyYear },
    { name: 'year-full', path: '/year', showState: openFilledYear, fullPage: true },
    {
      name: 'year-picture',
      path: '/year',
      showState: async (page) => {
        await openFilledYear(page)
        await mainRegion(page)
          .getByRole('img', { name: /^The picture to share/ })
          .scrollIntoViewIfNeeded()
      },
    },
  ]
}
