import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { cleanEnvironment, freePort, runAdmin, type Site, serverProgram, startSite } from './server.ts'

const NOBODY = 65534

/** Runs the built server, which is expected to end by itself, and gives what it wrote. */
async function startAndFail(env: Record<string, string>, as?: number): Promise<{ code: number | null; lines: string[] }> {
  const child = spawn(process.execPath, [serverProgram], {
    env: cleanEnvironment({ DEMO: 'off', ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(as === undefined ? {} : { uid: as, gid: as }),
  })
  let written = ''
  child.stdout.on('data', (chunk: Buffer) => {
    written += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    written += chunk.toString()
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), 15_000)
  await once(child, 'close')
  clearTimeout(timer)
  return { code: child.exitCode, lines: written.split('\n').filter((line) => line.trim() !== '') }
}

async function withDirectory(run: (directory: string) => Promise<void>) {
  const directory = await mkdtemp(join(tmpdir(), 'varispeed-start-'))
  try {
    await run(directory)
  } finally {
    await chmod(directory, 0o755)
    await rm(directory, { recursive: true, force: true })
  }
}

test('a busy port: one clear line that names it', async () => {
  await withDirectory(async (directory) => {
    const port = await freePort()
    const other = createServer().listen(port, '127.0.0.1')
    await once(other, 'listening')
    const { code, lines } = await startAndFail({ PORT: String(port), DATA_DIR: directory })
    other.close()
    expect(code).toBe(1)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(String(port))
    expect(lines[0]).not.toMatch(/ at .*:\d+:\d+|node:internal/)
  })
})

test('a data directory that cannot be written: one clear line that names it', async () => {
  await withDirectory(async (directory) => {
    await chmod(directory, 0o555)
    const root = process.getuid?.() === 0
    const { code, lines } = await startAndFail({ PORT: String(await freePort()), DATA_DIR: directory }, root ? NOBODY : undefined)
    expect(code).toBe(1)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(directory)
  })
})

test('a data directory that cannot be made: one clear line that names it', async () => {
  const { code, lines } = await startAndFail({ PORT: String(await freePort()), DATA_DIR: '/dev/null/data' })
  expect(code).toBe(1)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('/dev/null/data')
})

for (const [name, value] of [
  ['PORT', 'eighty'],
  ['PORT', '70000'],
  ['DATABASE_URL', 'mysql://localhost/x'],
  ['PUBLIC_ORIGIN', 'example.org'],
  ['DEMO', 'maybe'],
  ['LOG_LEVEL', 'loud'],
  ['TRUST_PROXY', 'everyone!'],
  ['SITE_HOSTS', 'a b'],
] as const) {
  test(`a wrong setting (${name}=${value}): one clear line that names it`, async () => {
    await withDirectory(async (directory) => {
      const { code, lines } = await startAndFail({ DATA_DIR: directory, [name]: value })
      expect(code).toBe(1)
      expect(lines).toHaveLength(1)
      expect(lines[0]).toContain(name)
    })
  })
}

test('a database that cannot be reached: one clear line, without its password', async () => {
  await withDirectory(async (directory) => {
    const port = await freePort()
    const { code, lines } = await startAndFail({
      PORT: '0',
      DATA_DIR: directory,
      DATABASE_URL: `postgres://someone:secret@127.0.0.1:${port}/x`,
    })
    expect(code).toBe(1)
    expect(lines).toHaveLength(1)
    expect(lines[0]).not.toContain('secret')
  })
})

test('a second start on the same data takes seconds and keeps what is there', async () => {
  await withDirectory(async (directory) => {
    const first = await startSite({ DATA_DIR: directory })
    await runAdmin(directory, ['settings', 'set', 'HERO_TITLE', 'Kept over a restart'])
    await first.stop()
    const began = Date.now()
    const second = await startSite({ DATA_DIR: directory })
    const tookMs = Date.now() - began
    const page = await fetch(`http://127.0.0.1:${second.port}/`)
      .then((answer) => answer.text())
      .finally(second.stop)
    expect(tookMs).toBeLessThan(10_000)
    expect(page).toContain('Kept over a restart')
  })
})

const good = { youtube_id: 'good_song01', title: 'Good', author_name: 'A', category_id: 'c', category_name: 'C', date_added: '2024-01-01' }
const goodList = { id: 'good', title: 'Good list', category_id: 'c', category_name: 'C', songs: ['good_song01'] }

async function everything(site: Site): Promise<string> {
  const list = await fetch(`http://127.0.0.1:${site.port}/api/playlist/all`)
  const songs = await fetch(`http://127.0.0.1:${site.port}/api/song/search?s=good`)
  return `${await list.text()}${await songs.text()}`
}

test('a corrupt import changes nothing and names its first bad row', async () => {
  const site = await startSite({ DEMO: 'off' })
  try {
    const file = join(site.dataDir, 'catalogue.json')
    await writeFile(file, JSON.stringify({ songs: [good], playlists: [goodList] }))
    await site.admin('catalog', 'import', file)
    await expect.poll(() => everything(site)).toContain('Good list')
    const before = await everything(site)
    const changed = { ...good, title: 'Changed by a bad file' }
    for (const [content, named] of [
      [JSON.stringify({ songs: [changed, { ...good, youtube_id: 'good_song02', date_added: 'yesterday' }] }), /songs\[1\]\.date_added/],
      [
        JSON.stringify({ songs: [changed], playlists: [goodList, { ...goodList, id: 'b', songs: ['no_such_one'] }] }),
        /playlists\[1\]\.songs\[0\]/,
      ],
      [JSON.stringify({ songs: [{ ...changed, youtube_id: 'short' }] }), /songs\[0\]\.youtube_id/],
      [JSON.stringify({ songs: [changed, { ...good, title: 7 }] }), /songs\[1\]\.title/],
      [JSON.stringify({ songs: { not: 'an array' } }), /songs/],
      [JSON.stringify({ songs: [changed] }).slice(0, -2), /./],
      ['', /./],
      ['[1, 2', /./],
    ] as const) {
      await writeFile(file, content)
      const failure = await site.admin('catalog', 'import', file).then(
        () => undefined,
        (error: { code: number; stdout: string; stderr: string }) => error,
      )
      expect(failure, `refused: ${content.slice(0, 60)}`).toBeDefined()
      expect(failure?.code).toBe(1)
      expect(failure?.stderr).toMatch(named)
      expect(failure?.stderr).not.toMatch(/node:internal|SqliteError|\n\s+at /)
    }
    await new Promise((resolve) => setTimeout(resolve, 1200))
    expect(await everything(site)).toBe(before)
  } finally {
    await site.stop()
  }
})

test('it ends cleanly on SIGTERM while a connection is open', async () => {
  const site = await startSite({ DEMO: 'off' })
  const held = await fetch(`http://127.0.0.1:${site.port}/healthz`)
  expect(held.status).toBe(200)
  const began = Date.now()
  await site.stop()
  expect(Date.now() - began).toBeLessThan(6000)
})
