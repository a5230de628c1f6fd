import type { Page } from '@playwright/test'
import { mainRegion, waitForHydration } from '../steps.ts'
import type { Screenshot } from './shot.ts'

const TITLE = 'Night drive'
const SECOND_TITLE = 'A rainy Sunday'
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

const selectInSectionMenu = async (page: Page, item: string) => {
  await mainRegion(page).getByRole('button', { name: 'More: Your playlists' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** Makes an empty own playlist on the page of playlists. */
async function makeSecondPlaylist(page: Page) {
  await mainRegion(page).getByRole('button', { name: 'New playlist' }).click()
  await page.getByRole('dialog', { name: 'New playlist' }).getByLabel('Name').fill(SECOND_TITLE)
  await page.keyboard.press('Enter')
  await mainRegion(page).getByRole('heading', { level: 1, name: SECOND_TITLE }).waitFor()
  await page.goBack()
  await mainRegion(page).getByRole('heading', { name: 'Your playlists' }).waitFor()
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
      'merge',
      async (page) => {
        await openPlaylists(page)
        await makeSecondPlaylist(page)
        await selectInSectionMenu(page, 'Merge playlists')
        const dialog = page.getByRole('dialog', { name: 'Merge playlists' })
        for (const title of [TITLE, SECOND_TITLE]) await dialog.getByLabel(title).check()
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
  return states.map(([name, showState]) => ({ name: `own-playlist-${name}`, path: playlistPath, showState }))
}
