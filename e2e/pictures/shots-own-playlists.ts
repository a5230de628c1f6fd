import type { Page } from '@playwright/test'
import { mainRegion, waitForHydration } from '../steps.ts'
import type { Screenshot } from './shot.ts'

const TITLE = 'Night drive'
const SONG_COUNT = 4

/** Opens the dialog that adds the song number `index` of the open playlist to an own playlist. */
async function openAddDialog(page: Page, index: number) {
  await mainRegion(page)
    .getByRole('button', { name: /^More: / })
    .nth(index)
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
      await dialog.getByLabel('New playlist').fill(TITLE)
      await dialog.getByRole('button', { name: 'Create' }).click()
    } else await dialog.getByRole('button', { name: TITLE }).click()
    await dialog.waitFor({ state: 'hidden' })
  }
}

async function openPlaylists(page: Page) {
  await makePlaylist(page)
  await page.goto(new URL('/playlists', page.url()).href)
  const heading = mainRegion(page).getByRole('heading', { name: 'Your playlists' })
  await heading.waitFor()
  await page.waitForTimeout(1000)
  await heading.scrollIntoViewIfNeeded()
}

async function openPlaylist(page: Page) {
  await openPlaylists(page)
  await mainRegion(page).getByRole('link', { name: TITLE }).click()
  await mainRegion(page).getByRole('heading', { level: 1, name: TITLE }).waitFor()
  await page.waitForTimeout(1000)
}

const selectInMenu = async (page: Page, item: string) => {
  await mainRegion(page)
    .getByRole('button', { name: `More: ${TITLE}` })
    .click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** Lists the screenshots of own playlists. `playlistPath` is the path of a playlist of the site. */
export function ownPlaylistScreenshots(playlistPath: string): Screenshot[] {
  const states: [name: string, showState: (page: Page) => Promise<unknown>][] = [
    [
      'add',
      async (page) => {
        await makePlaylist(page)
        await openAddDialog(page, SONG_COUNT)
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
    ['page', openPlaylist],
    [
      'arrange',
      async (page) => {
        await openPlaylist(page)
        await selectInMenu(page, 'Arrange songs')
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
  return states.map(([name, showState]) => ({ name: `own-playlist-${name}`, path: playlistPath, showState }))
}
