import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { installPackages, isOnPath } from '../scripts/install.mjs'
import { expect, test } from './fixtures.ts'
import { createToneFile, downloadExport, loadAudioFile, locateMakerButton, locateMessage, openMaker } from './maker-steps.ts'
import { mainRegion } from './steps.ts'

const TAGS = { title: '夜に駆ける 🌃', artist: 'ÄÖ 夜', album: 'THE BOOK', year: '2019' }

let testFolder = ''
test.beforeAll(() => {
  testFolder = mkdtempSync(join(tmpdir(), 'varispeed-maker-output-'))
})
test.afterAll(() => rmSync(testFolder, { recursive: true, force: true }))

const runFfmpeg = (...args: string[]) => execFileSync('ffmpeg', ['-v', 'error', '-y', ...args])

/** Makes a file with tags and a cover. @param ffmpegOptions the options with which ffmpeg writes the file */
function createTaggedFile(fileName: string, ...ffmpegOptions: string[]) {
  const [coverPath, filePath] = [join(testFolder, 'cover.png'), join(testFolder, fileName)]
  runFfmpeg('-f', 'lavfi', '-i', 'color=c=red:s=64x64', '-frames:v', '1', coverPath)
  const tagArguments = Object.entries({ ...TAGS, date: TAGS.year }).flatMap(([key, value]) => ['-metadata', `${key}=${value}`])
  const soundArguments = ['-f', 'lavfi', '-i', 'sine=440:d=3:r=44100']
  const hasCover = ffmpegOptions.includes('-c:v')
  runFfmpeg(
    ...soundArguments,
    ...(hasCover ? ['-i', coverPath, '-map', '0', '-map', '1', '-disposition:v', 'attached_pic'] : []),
    ...tagArguments,
    ...ffmpegOptions,
    filePath,
  )
  return { name: fileName, mimeType: 'audio/x', buffer: readFileSync(filePath) }
}

/** Returns the tags and the size of the cover as ffprobe reads them. */
function probeFile(fileName: string, bytes: Buffer) {
  const filePath = join(testFolder, `probed-${fileName.replace(/[^a-z0-9.]/gi, '')}`)
  writeFileSync(filePath, bytes)
  const probeJson = execFileSync('ffprobe', ['-v', 'error', '-show_format', '-show_streams', '-of', 'json', filePath], { encoding: 'utf8' })
  const { format, streams } = JSON.parse(probeJson)
  const tags = Object.fromEntries(Object.entries(format.tags ?? {}).map(([key, value]) => [key.toLowerCase(), value]))
  const picture = streams.find((stream: { disposition: { attached_pic: number } }) => stream.disposition.attached_pic === 1)
  return { tags, coverWidth: picture?.width, path: filePath }
}

/** Returns the tags and the picture of a file as kid3 reads them. */
function readByKid3(filePath: string) {
  const picturePath = join(testFolder, 'kid3.png')
  rmSync(picturePath, { force: true })
  const mpvCommands = ['get title', 'get artist', 'get album', 'get date', `get picture:${picturePath}`].flatMap((command) => [
    '-c',
    command,
  ])
  const output = execFileSync('kid3-cli', [...mpvCommands, filePath], { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C.UTF-8' } })
  const [title, artist, album, year] = output.split('\n')
  return { tags: { title, artist, album, year }, picture: existsSync(picturePath) ? readFileSync(picturePath) : undefined }
}

/** Returns the tags and the picture of a FLAC file as metaflac reads them. */
function readByMetaflac(filePath: string) {
  const readFlacTags = (...args: string[]) => execFileSync('metaflac', ['--no-utf8-convert', ...args, filePath], { encoding: 'utf8' })
  const [title, artist, album, year] = ['TITLE', 'ARTIST', 'ALBUM', 'DATE'].map((name) =>
    readFlacTags(`--show-tag=${name}`).trim().slice(`${name}=`.length),
  )
  const picturePath = join(testFolder, 'metaflac.png')
  rmSync(picturePath, { force: true })
  if (readFlacTags('--list', '--block-type=PICTURE') !== '') readFlacTags(`--export-picture-to=${picturePath}`)
  return { tags: { title, artist, album, year }, picture: existsSync(picturePath) ? readFileSync(picturePath) : undefined }
}

const locateOutputDialog = (page: Page) => page.getByRole('dialog', { name: 'Tags, name and level' })

test('maker: tags and cover of the song are in every file, and can be changed; the name follows a pattern', { tag: '@long' }, async ({
  page,
  site,
}) => {
  await openMaker(page, site)
  await loadAudioFile(page, createTaggedFile('tagged.flac', '-c:v', 'copy', '-c:a', 'flac'))
  for (const formatName of ['WAV, 16-bit', 'WAV, 24-bit', 'FLAC, 24-bit', 'MP3, 320 kbps']) {
    const { name, bytes } = await downloadExport(page, formatName)
    const { tags, coverWidth } = probeFile(name, bytes)
    expect(tags, formatName).toMatchObject({ title: TAGS.title, artist: TAGS.artist, album: TAGS.album, date: TAGS.year })
    expect(coverWidth, formatName).toBe(64)
  }
  const dialog = locateOutputDialog(page)
  await test.step('a cover that a person chooses is in the files, also after a reload, until the choice is undone', async () => {
    await locateMakerButton(page, 'Tags, name and level').click()
    await dialog.getByLabel('Picture of the cover').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('none') })
    await expect(dialog.getByText('This picture cannot be read.')).toBeVisible()
    runFfmpeg('-f', 'lavfi', '-i', 'color=c=blue:s=300x200', '-frames:v', '1', join(testFolder, 'wide.png'))
    await dialog.getByLabel('Picture of the cover').setInputFiles(join(testFolder, 'wide.png'))
    await expect(dialog.getByRole('button', { name: 'Undo the change' })).toBeVisible()
    await expect(dialog.getByText('This picture cannot be read.')).toBeHidden()
    await page.keyboard.press('Escape')
    await page.waitForTimeout(500)
    await page.reload()
    await expect(mainRegion(page)).toContainText('tagged.flac')
    const { name, bytes } = await downloadExport(page, 'MP3, 320 kbps')
    expect(probeFile(name, bytes).coverWidth).toBe(200)
    await locateMakerButton(page, 'Tags, name and level').click()
    await dialog.getByRole('button', { name: 'Undo the change' }).click()
    await expect(dialog.getByRole('button', { name: 'Change cover' })).toBeFocused()
    await page.keyboard.press('Escape')
    const original = await downloadExport(page, 'FLAC, 16-bit')
    expect(probeFile(original.name, original.bytes).coverWidth).toBe(64)
  })
  await locateMakerButton(page, 'Tags, name and level').click()
  await expect(dialog.getByRole('img', { name: 'Cover of the song' })).toBeVisible()
  await expect(dialog.getByLabel('Title')).toHaveValue(TAGS.title)
  await dialog.getByLabel('Title').fill('New 夜 title')
  await dialog.getByLabel('Artist').fill('')
  await dialog.getByLabel('Year').fill('2026')
  await dialog.getByLabel('File name').fill('{title} ({rate}x, {year})')
  await expect(dialog.getByText('New 夜 title (1.25x, 2026).wav')).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  const { name, bytes } = await downloadExport(page, 'FLAC, 16-bit')
  expect(name).toBe('New 夜 title (1.25x, 2026).flac')
  const { tags, path } = probeFile('changed.flac', bytes)
  expect(tags).toMatchObject({ title: 'New 夜 title', album: TAGS.album, date: '2026' })
  expect(tags).not.toHaveProperty('artist')
  expect(spawnSync('ffmpeg', ['-v', 'error', '-xerror', '-i', path, '-f', 'null', '-'], { encoding: 'utf8' }).stderr).toBe('')
})

test('maker: the tags of five containers are read; ffprobe, metaflac and kid3 read them in the files that are made', {
  tag: '@long',
}, async ({ page, site }) => {
  test.setTimeout(300_000)
  const hasTools = ['kid3-cli', 'metaflac'].every(isOnPath) || installPackages('kid3-cli', 'flac')
  await openMaker(page, site)
  const checkedFiles = [
    createTaggedFile('a.mp3', '-c:v', 'copy', '-c:a', 'libmp3lame'),
    createTaggedFile('a.flac', '-c:v', 'copy', '-c:a', 'flac'),
    createTaggedFile('a.m4a', '-c:v', 'copy', '-c:a', 'aac'),
    createTaggedFile('a.ogg', '-c:a', 'libvorbis'),
    createTaggedFile('a.wav', '-c:a', 'pcm_s16le'),
  ]
  for (const checkedFile of checkedFiles) {
    await loadAudioFile(page, checkedFile)
    await locateMakerButton(page, 'Tags, name and level').click()
    const dialog = locateOutputDialog(page)
    await expect(dialog.getByLabel('Title'), checkedFile.name).toHaveValue(TAGS.title)
    await expect(dialog.getByLabel('Artist'), checkedFile.name).toHaveValue(TAGS.artist)
    await expect(dialog.getByLabel('Year'), checkedFile.name).toHaveValue(TAGS.year)
    const hasCover = /\.(?:mp3|flac|m4a)$/.test(checkedFile.name)
    await expect(dialog.getByRole('img', { name: 'Cover of the song' }), checkedFile.name).toHaveCount(hasCover ? 1 : 0)
    await dialog.getByRole('button', { name: 'Done' }).click()
    for (const formatName of ['MP3, 320 kbps', 'FLAC, 16-bit', 'WAV, 16-bit']) {
      const downloadedFile = await downloadExport(page, formatName)
      const { tags, coverWidth, path } = probeFile(downloadedFile.name, downloadedFile.bytes)
      const stepTitle = `${formatName} of ${checkedFile.name}`
      expect(tags, stepTitle).toMatchObject({ title: TAGS.title, artist: TAGS.artist, album: TAGS.album, date: TAGS.year })
      expect(coverWidth, stepTitle).toBe(hasCover ? 64 : undefined)
      if (!hasTools) continue
      const picture = hasCover ? readFileSync(join(testFolder, 'cover.png')) : undefined
      expect(readByKid3(path), `${stepTitle}, by kid3`).toEqual({ tags: TAGS, picture })
      if (formatName.startsWith('FLAC')) expect(readByMetaflac(path), `${stepTitle}, by metaflac`).toEqual({ tags: TAGS, picture })
    }
  }
})

test('maker: videos have the tags and the cover of the song; MOV files have the tags that are texts', { tag: '@long' }, async ({
  page,
  site,
}) => {
  await openMaker(page, site)
  await loadAudioFile(page, createTaggedFile('video.flac', '-c:v', 'copy', '-c:a', 'flac'))
  for (const soundLabel of ['AAC, plays everywhere', 'Lossless, for an upload']) {
    await locateMakerButton(page, 'Download as video').click()
    const dialog = page.getByRole('dialog', { name: 'Download as video' })
    await dialog.getByLabel('Sound').selectOption(soundLabel)
    const downloadPromise = page.waitForEvent('download', { timeout: 90_000 })
    await dialog.getByRole('button', { name: 'Make the video' }).click()
    const download = await downloadPromise
    const { tags, coverWidth, path } = probeFile(download.suggestedFilename(), readFileSync(await download.path()))
    if (soundLabel.startsWith('AAC') && isOnPath('kid3-cli')) expect(readByKid3(path).tags).toEqual(TAGS)
    expect(tags, soundLabel).toMatchObject({ title: TAGS.title, artist: TAGS.artist, album: TAGS.album, date: TAGS.year })
    if (soundLabel.startsWith('AAC')) expect(coverWidth).toBe(64)
    await page.keyboard.press('Escape')
  }
})

/** Returns the integrated loudness and the true peak as ffmpeg measures them. */
function measureLoudness(filePath: string) {
  const { stderr } = spawnSync('ffmpeg', ['-nostats', '-i', filePath, '-af', 'ebur128=peak=true:framelog=verbose', '-f', 'null', '-'], {
    encoding: 'utf8',
  })
  const summary = stderr.slice(stderr.lastIndexOf('Summary'))
  return { lufs: Number(/I:\s+(-?[\d.]+)/.exec(summary)?.[1]), peakDb: Number(/Peak:\s+(-?[\d.]+)/.exec(summary)?.[1]) }
}

test('maker: the level of a song is measured, and stays unchanged unless a loudness is chosen, which is reached with a true peak below -1 dBTP', {
  tag: '@long',
}, async ({ page, site }) => {
  await openMaker(page, site)
  await loadAudioFile(page, createToneFile('loud.wav', { amplitude: 0.9, hz: 997 }))
  await locateMakerButton(page, 'Tags, name and level').click()
  const dialog = locateOutputDialog(page)
  await dialog.getByRole('button', { name: 'Measure the level' }).click()
  await expect(dialog.getByText(/^The video platform will turn this down by 13\.\d\sdB\.$/)).toBeVisible()
  await dialog.getByLabel('Loudness of the file').selectOption('−14 LUFS, video platforms')
  await dialog.getByRole('button', { name: 'Measure the level' }).click()
  await expect(dialog.getByText('After: −14.0 LUFS', { exact: false })).toBeVisible()
  await expect(dialog.getByText('The video platform will leave this as it is.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  for (const formatName of ['WAV, 16-bit', 'WAV, 32-bit float', 'FLAC, 24-bit', 'MP3, 320 kbps']) {
    const { name, bytes } = await downloadExport(page, formatName)
    await expect(locateMessage(page, /^Level: −14\.0 LUFS, true peak/)).toBeVisible()
    const { lufs } = measureLoudness(probeFile(name, bytes).path)
    expect(Math.abs(lufs + 14), formatName).toBeLessThanOrEqual(0.1)
  }
  await test.step('a chosen loudness that requires the limiter is reached, with a true peak below -1 dBTP', async () => {
    await loadAudioFile(page, createTaggedFile('drums.wav', '-af', 'tremolo=f=4:d=0.95,volume=12dB', '-c:a', 'pcm_s16le'))
    await locateMakerButton(page, 'Tags, name and level').click()
    await dialog.getByLabel('Loudness of the file').selectOption('−9 LUFS, very loud')
    await dialog.getByRole('button', { name: 'Done' }).click()
    const { name, bytes } = await downloadExport(page, 'WAV, 16-bit')
    const { lufs, peakDb } = measureLoudness(probeFile(name, bytes).path)
    expect(peakDb).toBeLessThanOrEqual(-1)
    expect(Math.abs(lufs + 9)).toBeLessThanOrEqual(0.5)
    await expect(mainRegion(page)).toContainText('drums.wav')
  })
})
