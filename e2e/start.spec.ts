import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'
import { createMinimalEnvironment, findFreePort, runAdminCommand, type Site, serverScriptPath, startSite } from './server.ts'

const UNPRIVILEGED_UID = 65534

/** Runs the built server, which must exit. Returns its exit code and its lines of output. */
async function runUntilExit(env: Record<string, string>, uid?: number): Promise<{ code: number | null; lines: string[] }> {
  const serverProcess = spawn(process.execPath, [serverScriptPath], {
    env: createMinimalEnvironment({ DEMO: 'off', ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  let writtenOutput = ''
  serverProcess.stdout.on('data', (chunk: Buffer) => {
    writtenOutput += chunk.toString()
  })
  serverProcess.stderr.on('data', (chunk: Buffer) => {
    writtenOutput += chunk.toString()
  })
  const killTimer = setTimeout(() => serverProcess.kill('SIGKILL'), 15_000)
  await once(serverProcess, 'close')
  clearTimeout(killTimer)
  return { code: serverProcess.exitCode, lines: writtenOutput.split('\n').filter((line) => line.trim() !== '') }
}

async function withDirectory(runInDirectory: (directory: string) => Promise<void>) {
  const tempDir = await mkdtemp(join(tmpdir(), 'varispeed-start-'))
  try {
    await runInDirectory(tempDir)
  } finally {
    await chmod(tempDir, 0o755)
    await rm(tempDir, { recursive: true, force: true })
  }
}

test('start: if the port is in use, the server prints one line that names it', async () => {
  await withDirectory(async (tempDir) => {
    const port = await findFreePort()
    const otherServer = createServer().listen(port, '127.0.0.1')
    await once(otherServer, 'listening')
    const { code, lines } = await runUntilExit({ PORT: String(port), DATA_DIR: tempDir })
    otherServer.close()
    expect(code).toBe(1)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(String(port))
    expect(lines[0]).not.toMatch(/ at .*:\d+:\d+|node:internal/)
  })
})

test('start: if the data directory is not writable, the server prints one line that names it', { tag: '@long' }, async () => {
  await withDirectory(async (tempDir) => {
    await chmod(tempDir, 0o555)
    const isRootUser = process.getuid?.() === 0
    const { code, lines } = await runUntilExit(
      { PORT: String(await findFreePort()), DATA_DIR: tempDir },
      isRootUser ? UNPRIVILEGED_UID : undefined,
    )
    expect(code).toBe(1)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(tempDir)
  })
})

test('start: if the data directory cannot be created, the server prints one line that names it', async () => {
  const { code, lines } = await runUntilExit({ PORT: String(await findFreePort()), DATA_DIR: '/dev/null/data' })
  expect(code).toBe(1)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('/dev/null/data')
})

// This test covers one setting; `server/config.test.ts` tests the others.
test('start: for an invalid setting, the server prints one line that names it', { tag: '@long' }, async () => {
  await withDirectory(async (tempDir) => {
    const { code, lines } = await runUntilExit({ DATA_DIR: tempDir, PORT: 'eighty' })
    expect(code).toBe(1)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('PORT')
  })
})

test("start: if the database cannot be reached, the server prints one line without the database's password", { tag: '@long' }, async () => {
  await withDirectory(async (tempDir) => {
    const port = await findFreePort()
    const { code, lines } = await runUntilExit({
      PORT: '0',
      DATA_DIR: tempDir,
      DATABASE_URL: `postgres://someone:secret@127.0.0.1:${port}/x`,
    })
    expect(code).toBe(1)
    expect(lines).toHaveLength(1)
    expect(lines[0]).not.toContain('secret')
  })
})

test('start: SIGTERM ends the server with code 0 while a connection is open; a second start imports nothing and keeps changed settings', async () => {
  await withDirectory(async (tempDir) => {
    const firstSite = await startSite({ DATA_DIR: tempDir })
    await runAdminCommand(tempDir, ['settings', 'set', 'HERO_TITLE', 'Kept over a restart'])
    const healthResponse = await fetch(`http://127.0.0.1:${firstSite.port}/healthz`)
    expect(healthResponse.status).toBe(200)
    // If the connections do not end within 10 s, the server exits with code 1.
    expect(await firstSite.stop()).toBe(0)
    const secondSite = await startSite({ DATA_DIR: tempDir })
    const pageHtml = await fetch(`http://127.0.0.1:${secondSite.port}/`)
      .then((response) => response.text())
      .finally(secondSite.stop)
    expect(firstSite.readLog()).toContain('Loaded the demo catalogue')
    expect(secondSite.readLog()).not.toContain('Loaded the demo catalogue')
    expect(pageHtml).toContain('Kept over a restart')
  })
})

const goodSong = {
  youtube_id: 'good_song01',
  title: 'Good',
  author_name: 'A',
  category_id: 'c',
  category_name: 'C',
  date_added: '2024-01-01',
}
const goodPlaylist = { id: 'good', title: 'Good list', category_id: 'c', category_name: 'C', songs: ['good_song01'] }

async function fetchCatalogueText(site: Site): Promise<string> {
  const playlistsResponse = await fetch(`http://127.0.0.1:${site.port}/api/playlist/all`)
  const songsResponse = await fetch(`http://127.0.0.1:${site.port}/api/song/search?s=good`)
  return `${await playlistsResponse.text()}${await songsResponse.text()}`
}

test('import: a corrupt file changes nothing, and the error names its first invalid row', { tag: '@long' }, async () => {
  const site = await startSite({ DEMO: 'off' })
  try {
    const catalogueFile = join(site.dataDir, 'catalogue.json')
    await writeFile(catalogueFile, JSON.stringify({ songs: [goodSong], playlists: [goodPlaylist] }))
    await site.runAdmin('catalog', 'import', catalogueFile)
    await expect.poll(() => fetchCatalogueText(site)).toContain('Good list')
    const textBefore = await fetchCatalogueText(site)
    const changedSong = { ...goodSong, title: 'Changed by a bad file' }
    // `server/storage/import/importer.test.ts` tests other invalid rows and files.
    for (const [fileContent, expectedName] of [
      [
        JSON.stringify({ songs: [changedSong, { ...goodSong, youtube_id: 'good_song02', date_added: 'yesterday' }] }),
        /songs\[1\]\.date_added/,
      ],
      [JSON.stringify({ songs: [changedSong] }).slice(0, -2), /is not valid JSON/],
    ] as const) {
      await writeFile(catalogueFile, fileContent)
      const importFailure = await site.runAdmin('catalog', 'import', catalogueFile).then(
        () => undefined,
        (error: { code: number; stdout: string; stderr: string }) => error,
      )
      expect(importFailure, `refused: ${fileContent.slice(0, 60)}`).toBeDefined()
      expect(importFailure?.code).toBe(1)
      expect(importFailure?.stderr).toMatch(expectedName)
      expect(importFailure?.stderr).not.toMatch(/node:internal|SqliteError|\n\s+at /)
    }
    await new Promise((resolve) => setTimeout(resolve, 1200))
    expect(await fetchCatalogueText(site)).toBe(textBefore)
  } finally {
    await site.stop()
  }
})
