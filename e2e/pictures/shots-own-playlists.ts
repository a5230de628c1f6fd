import type { Page } from '@playwright/test'
import { fetchIdToken } from '../favorites-steps.ts'
import { createCredentials, signUpByRequest } from '../identity/steps.ts'
import { createOwnPlaylists, shareOwnPlaylist } from '../own-playlist-steps.ts'
import type { Site } from '../server.ts'
import { mainRegion, waitForHydration } from '../steps.ts'
import type { Screenshot } from './shot.ts'

const PLAYLIST_TITLE = 'Night drive'
const SECOND_PLAYLIST_TITLE = 'A rainy Sunday'
const SONG_COUNT = 4

/** Opens the dialog that adds the song number `songIndex` of the open playlist to an own playlist. */
async function openAddDialog(page: Page, songIndex: number) {
  await mainRegion(page)
    .getByRole('button', { name: /^More: / })
    .nth(songIndex)
    .click()
  await page.getByRole('menuitem', { name: 'Add to playlist' }).click()
  return page.getByRole('dialog', { name: 'Add to playlist' })
}

/** Makes an own playlist of the first songs of the open playlist. */
async function makePlaylist(page: Page) {
  await waitForHydration(page)
  for (let index = 0; index < SONG_COUNT; index++) {
    const dialog = await openAddDialog(page, index)
    if (index === 0) {
      await dialog.getByLabel('New playlist').fill(PLAYLIST_TITLE)
      await dialog.getByRole('button', { name: 'Create' }).click()
    } else await dialog.getByRole('button', { name: PLAYLIST_TITLE }).click()
    await dialog.waitFor({ state: 'hidden' })
  }
}

async function openPlaylists(page: Page) {
  await makePlaylist(page)
  await page.goto(new URL('/playlists', page.url()).href)
  const listHeading = mainRegion(page).getByRole('heading', { name: 'Your playlists' })
  await listHeading.waitFor()
  await page.waitForTimeout(1000)
  await listHeading.scrollIntoViewIfNeeded()
}

async function openPlaylist(page: Page) {
  await openPlaylists(page)
  await mainRegion(page).getByRole('link', { name: PLAYLIST_TITLE }).click()
  await mainRegion(page).getByRole('heading', { level: 1, name: PLAYLIST_TITLE }).waitFor()
  await page.waitForTimeout(1000)
}

const selectInMenu = async (page: Page, itemName: string) => {
  await mainRegion(page)
    .getByRole('button', { name: `More: ${PLAYLIST_TITLE}` })
    .click()
  await page.getByRole('menuitem', { name: itemName }).click()
}

const selectInSectionMenu = async (page: Page, itemName: string) => {
  await mainRegion(page).getByRole('button', { name: 'More: Your playlists' }).click()
  await page.getByRole('menuitem', { name: itemName }).click()
}

/** Makes an empty own playlist on the page of playlists, and opens it. */
async function openEmptyPlaylist(page: Page) {
  await mainRegion(page).getByRole('button', { name: 'New playlist' }).click()
  await page.getByRole('dialog', { name: 'New playlist' }).getByLabel('Name').fill(SECOND_PLAYLIST_TITLE)
  await page.keyboard.press('Enter')
  await mainRegion(page).getByRole('heading', { level: 1, name: SECOND_PLAYLIST_TITLE }).waitFor()
}

async function makeSecondPlaylist(page: Page) {
  await openEmptyPlaylist(page)
  await page.goBack()
  await mainRegion(page).getByRole('heading', { name: 'Your playlists' }).waitFor()
}

/** Returns the ids of the songs whose pictures are on the page. */
const readSongIds = (page: Page) =>
  page
    .locator('[src*="/img/song/"]')
    .evaluateAll((pictures) => [
      ...new Set(pictures.map((picture) => /\/img\/song\/([\w-]{11})/.exec(picture.getAttribute('src') ?? '')?.[1] ?? '')),
    ])

async function importFile(page: Page, fileName: string, fileText: string) {
  await openPlaylists(page)
  await mainRegion(page).getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import playlists' })
  await dialog.getByLabel('File').setInputFiles({ name: fileName, mimeType: 'text/csv', buffer: Buffer.from(fileText) })
  return dialog
}

/** Imports more playlists than the page shows at first. */
async function importManyPlaylists(page: Page) {
  const rows = (await readSongIds(page)).flatMap((id, index, ids) =>
    Array.from({ length: 6 }, (_, copy) => `${id},,,Mix ${1 + index + copy * ids.length}`),
  )
  const dialog = await importFile(page, 'playlists.csv', `Video ID,Title,Artist,Playlist name\n${rows.join('\n')}`)
  await dialog.getByRole('button', { name: /^Make \d+ playlists/ }).click()
  await dialog.waitFor({ state: 'hidden' })
}

/** Makes a playlist that an account of its own shares or, if `isShared` is false, no longer shares. Returns its query parameter. */
async function createSharedPlaylist(site: Site, songIds: readonly string[], isShared = true): Promise<string> {
  const credentials = createCredentials()
  await signUpByRequest(site.origin(), credentials)
  const idToken = await fetchIdToken(site, credentials)
  const [playlistId = ''] = await createOwnPlaylists(site.origin(), idToken, [{ title: PLAYLIST_TITLE, songIds }])
  const token = await shareOwnPlaylist(site.origin(), idToken, playlistId, true)
  if (!isShared) await shareOwnPlaylist(site.origin(), idToken, playlistId, false)
  return `l=${token}`
}

/** Lists the screenshots of shared playlists, of the players that other sites show, and of the switch that adds related songs. */
export async function createSharingScreenshots(
  site: Site,
  { playlistId, songIds, songPath }: { playlistId: string; songIds: readonly string[]; songPath: string },
): Promise<Screenshot[]> {
  const shareQuery = await createSharedPlaylist(site, songIds.slice(0, 9))
  const revokedToken = await createSharedPlaylist(site, songIds.slice(0, 1), false)
  return [
    {
      name: 'shared-list',
      path: `/list?${shareQuery}`,
      fullPage: true,
      showState: async (page) => {
        await mainRegion(page)
          .getByRole('list', { name: `Songs of ${PLAYLIST_TITLE}` })
          .waitFor()
        // The pictures of the mosaic are requested after the songs.
        await page.waitForLoadState('networkidle')
      },
    },
    {
      name: 'shared-list-revoked',
      path: `/list?${revokedToken}`,
      showState: (page) => mainRegion(page).getByText('404', { exact: true }).waitFor(),
    },
    {
      name: 'shared-list-report',
      path: `/list?${shareQuery}`,
      showState: async (page) => {
        await waitForHydration(page)
        await selectInMenu(page, 'Report')
      },
    },
    { name: 'embed-song', path: `/embed/song?s=${songIds[0]}`, height: 360 },
    { name: 'embed-playlist', path: `/embed/playlist?p=${playlistId}`, height: 520 },
    { name: 'embed-list', path: `/embed/list?${shareQuery}`, height: 520 },
    { name: 'embed-revoked', path: `/embed/list?${revokedToken}`, height: 520 },
    {
      name: 'endless',
      path: songPath,
      showState: async (page) => {
        await waitForHydration(page)
        const queue = page.getByRole('button', { name: 'Show the whole queue' })
        if (await queue.isVisible()) await queue.click()
        await page.getByRole('checkbox', { name: 'When the queue ends, play related songs' }).first().press('Space')
      },
    },
  ]
}

/** Lists the screenshots of own playlists. `playlistPath` is the path of a playlist of the site. */
export function createOwnPlaylistScreenshots(playlistPath: string): Screenshot[] {
  const shownStates: [name: string, showState: (page: Page) => Promise<unknown>][] = [
    [
      'add',
      async (page) => {
        await makePlaylist(page)
        const dialog = await openAddDialog(page, SONG_COUNT)
        await dialog.getByRole('list', { name: 'Your playlists' }).waitFor()
      },
    ],
    [
      'add-filter',
      async (page) => {
        const playlistUrl = page.url()
        await importManyPlaylists(page)
        await page.goto(playlistUrl)
        await waitForHydration(page)
        const dialog = await openAddDialog(page, 0)
        await dialog.getByLabel('Find a playlist').waitFor()
      },
    ],
    ['list', openPlaylists],
    [
      'import',
      async (page) => {
        await openPlaylists(page)
        await mainRegion(page).getByRole('button', { name: 'Import' }).click()
      },
    ],
    [
      'import-preview',
      async (page) => {
        const ids = await readSongIds(page)
        const rows = [...ids.map((id) => `${id},,,Winter drive`), ',Somewhere only,Nobody,Winter drive', ',夜に駆ける,YOASOBI,J-Pop']
        const dialog = await importFile(page, 'playlists.csv', `Video ID,Title,Artist,Playlist name\n${rows.join('\n')}`)
        await dialog.getByText(/^\d+ songs not found/).click()
      },
    ],
    [
      'import-failure',
      async (page) => {
        const dialog = await importFile(page, 'holiday.csv', 'no song')
        await dialog.getByText('No songs could be read').waitFor()
      },
    ],
    ['page', openPlaylist],
    [
      'empty',
      async (page) => {
        await openPlaylists(page)
        await openEmptyPlaylist(page)
      },
    ],
    [
      'arrange',
      async (page) => {
        await openPlaylist(page)
        await selectInMenu(page, 'Arrange songs')
      },
    ],
    [
      'many',
      async (page) => {
        await importManyPlaylists(page)
        await mainRegion(page)
          .getByRole('button', { name: /^Show all/ })
          .scrollIntoViewIfNeeded()
      },
    ],
    [
      'merge',
      async (page) => {
        await openPlaylists(page)
        await makeSecondPlaylist(page)
        await selectInSectionMenu(page, 'Merge playlists')
        const dialog = page.getByRole('dialog', { name: 'Merge playlists' })
        for (const title of [PLAYLIST_TITLE, SECOND_PLAYLIST_TITLE]) await dialog.getByLabel(title).check()
      },
    ],
    [
      'merge-filter',
      async (page) => {
        await importManyPlaylists(page)
        await selectInSectionMenu(page, 'Merge playlists')
        await page.getByRole('dialog', { name: 'Merge playlists' }).getByRole('checkbox').first().check()
      },
    ],
    [
      'deleted',
      async (page) => {
        await openPlaylist(page)
        await selectInMenu(page, 'Delete')
        await mainRegion(page).getByRole('heading', { name: 'Your playlists' }).waitFor()
        await selectInSectionMenu(page, 'Deleted playlists')
      },
    ],
    [
      'rename',
      async (page) => {
        await openPlaylist(page)
        await selectInMenu(page, 'Name and description')
      },
    ],
    [
      'share',
      async (page) => {
        await openPlaylist(page)
        await selectInMenu(page, 'Share')
      },
    ],
  ]
  return shownStates.map(([name, showState]) => ({ name: `own-playlist-${name}`, path: playlistPath, showState }))
}
