import { writeFile } from 'node:fs/promises'
import { startSimulatedYoutube } from '../server/admin/youtube/testing/youtube-peer.ts'
import { expect, test } from './fixtures.ts'
import { createCredentials, openHydratedPage, signInByRequest, signUpByRequest } from './identity/steps.ts'
import { startSite } from './server.ts'
import { expectPlaying, fetchApi, locatePlayerButton, mainRegion, pageHeading, waitForHydration } from './steps.ts'

const VIDEO_ID = 'video-_0001'

test('playlist videos: where the site allows it, an import adds a video that the catalogue lacks; it plays from its playlist, and leaves when an admin hides it', async ({
  page,
  platform,
}, testInfo) => {
  test.setTimeout(240_000)
  const peer = await startSimulatedYoutube()
  peer.videos.set(VIDEO_ID, { title: 'Far away', channelTitle: 'Somebody', duration: 'PT2M5S' })
  const site = await startSite({ ...peer.env, PLAYLIST_VIDEOS: 'on' })
  try {
    const [playlist] = await fetchApi(site, 'GET /playlist/all')
    const { songs } = await fetchApi(site, 'GET /playlist/get', { p: playlist?.id ?? '' })
    const catalogueId = songs[0]?.youtube_id ?? ''
    const credentials = createCredentials()
    await signUpByRequest(site.origin(), credentials)
    await signInByRequest(page, site.origin(), credentials)
    const csvPath = testInfo.outputPath('Abroad-videos.csv')
    const csvRows = [catalogueId, VIDEO_ID, 'gone--_0002'].map((id) => `${id},2025-11-01T10:00:00+00:00`)
    await writeFile(csvPath, ['Video ID,Playlist Video Creation Timestamp', ...csvRows].join('\n'))
    await openHydratedPage(page, `${site.origin()}/playlists`)
    await mainRegion(page).getByRole('button', { name: 'Import', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Import playlists' })
    await dialog.getByLabel('File').setInputFiles(csvPath)
    const foundPlaylists = dialog.getByRole('list', { name: 'Playlists that will be made' })
    await expect(foundPlaylists).toContainText('Abroad: 2 songs, 1 of them only at YouTube, 1 not found')
    await dialog.getByRole('button', { name: 'Make the playlist' }).click()
    await mainRegion(page).getByRole('link', { name: 'Abroad' }).click()
    const videoRow = mainRegion(page).getByRole('listitem').filter({ hasText: 'Far away' })
    await expect(videoRow).toContainText('2:05')

    await mainRegion(page).getByRole('link', { name: 'Play', exact: true }).click()
    await expectPlaying(page, platform, catalogueId)
    await locatePlayerButton(page, 'Next').click()
    await expectPlaying(page, platform, VIDEO_ID)
    await expect(pageHeading(page)).toHaveText('Far away')
    await page.reload()
    await waitForHydration(page)
    await expect(pageHeading(page)).toHaveText('Far away')
    // The badges of the song are its artist and, for a song of the catalogue, its category.
    await expect(mainRegion(page).locator('header').getByRole('link')).toHaveText(['Somebody'])
    await openHydratedPage(page, `${site.origin()}/search?q=Far%20away`)
    await expect(mainRegion(page).getByText('Far away', { exact: true })).toHaveCount(0)

    await site.runAdmin('song', 'hide', VIDEO_ID, '--reason', 'A claim.', '--as', 'ann')
    expect((await fetch(`${site.origin()}/song?s=${VIDEO_ID}`)).status).toBe(404)
  } finally {
    await site.stop()
    await peer.close()
  }
})
