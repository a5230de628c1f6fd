import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openStorage } from './open.ts'
import { ImportError, type Storage } from './storage.ts'
import { everything, playlist, songId, songs, view } from './testing/fixture.ts'

// SQLite as several processes meet it, and as the disk fails it.

// Processes are started here, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 90_000 })

let dataDir: string
const opened: Storage[] = []
const children: ChildProcess[] = []
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'varispeed-faults-'))
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const storage of opened.splice(0)) await storage.close()
  await rm(dataDir, { recursive: true, force: true })
})

const openHere = async () => {
  const storage = await openStorage({ dataDir })
  opened.push(storage)
  return storage
}

function start(script: string, ...args: string[]): ChildProcess {
  const path = fileURLToPath(new URL(`./testing/${script}`, import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', path, dataDir, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  return child
}

async function catalogueFile(count: number): Promise<string> {
  const file = join(dataDir, `rows-${count}.json`)
  await writeFile(file, JSON.stringify({ songs: songs(count), playlists: [playlist('one', [1, 2])] }))
  return file
}

const titles = async (storage: Storage) => (await storage.playlists.get('house', everything, view))?.songs.length ?? 0
const builds = async () => (await readdir(dataDir)).filter((name) => /^catalogue-/.test(name))

test('an import in another process shows here within a second, in what is read and in the revision', async () => {
  const storage = await openHere()
  await storage.catalogue.importFile(await catalogueFile(5))
  const revision = storage.revision()
  const [code] = await once(start('import-process.ts', await catalogueFile(9)), 'exit')
  expect(code).toBe(0)
  await sleep(900)
  expect(await titles(storage)).toBe(9)
  expect(storage.revision()).not.toBe(revision)
  expect(await builds()).toHaveLength(1)
})

test('an import that is killed changes nothing, and what it left is cleared away', async () => {
  const storage = await openHere()
  await storage.catalogue.importFile(await catalogueFile(5))
  const child = start('import-process.ts', await catalogueFile(60_000))
  while ((await builds()).length < 2) await sleep(5)
  await expect(storage.catalogue.importFile(await catalogueFile(7))).rejects.toThrow(/^Another import is under way/)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await titles(storage)).toBe(5)
  const after = await openHere()
  expect(await builds()).toHaveLength(1)
  expect(await titles(after)).toBe(5)
  await after.catalogue.importFile(await catalogueFile(7))
  expect(await titles(after)).toBe(7)
})

test('writes go on while another process imports', async () => {
  const storage = await openHere()
  const child = start('import-process.ts', await catalogueFile(30_000))
  const ended = once(child, 'exit')
  let longestMs = 0
  while (child.exitCode === null) {
    const began = performance.now()
    await storage.contacts.add({ topic: 'other', message: 'x', brandId: 'b', atMs: 1 })
    longestMs = Math.max(longestMs, performance.now() - began)
    await sleep(5)
  }
  await ended
  expect(child.exitCode).toBe(0)
  expect(longestMs).toBeLessThan(1000)
})

test('nothing that was acknowledged is lost when the process is killed', async () => {
  const child = start('write-process.ts')
  let acknowledged = 0
  child.stdout?.on('data', (chunk: Buffer) => {
    acknowledged += chunk.filter((byte) => byte === 10).length
  })
  while (acknowledged < 500) await sleep(10)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const storage = await openHere()
  const stored = await storage.contacts.all(everything)
  expect(stored.length).toBeGreaterThanOrEqual(acknowledged)
  expect(new Set(stored.map((each) => each.message)).size).toBe(stored.length)
})

test('a sign-up or a new password is there wholly or not at all when the process is killed', async () => {
  const child = start('account-process.ts')
  let acknowledged = 0
  child.stdout?.on('data', (chunk: Buffer) => {
    acknowledged += chunk.filter((byte) => byte === 10).length
  })
  while (acknowledged < 500) await sleep(10)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const { accounts } = await openHere()
  const stored = await accounts.all(everything)
  const works = async (name: string, change: string) =>
    (await accounts.rotate({
      ...{ familyId: `${name} ${change}`, shownHash: `${name} ${change} token`, nextHash: `${name} ${change} next` },
      ...{ atMs: 3, graceMs: 10 },
    })) !== undefined
  for (const { uid, passwordHash } of stored) {
    expect([uid, await works(uid, 'first'), await works(uid, 'second')]).toEqual([uid, passwordHash === 'first', passwordHash === 'second'])
  }
  const changes = stored.reduce((sum, each) => sum + (each.passwordHash === 'second' ? 2 : 1), 0)
  expect(changes).toBeGreaterThanOrEqual(acknowledged)
})

test('processes that open at once share one migration', async () => {
  const all = await Promise.all([openHere(), openHere(), openHere()])
  for (const storage of all) await storage.check()
})

test('nobody but the owner reads the database, or the directory that was made for it', async () => {
  const directory = join(dataDir, 'new', 'data')
  const modes = (...names: string[]) =>
    Promise.all(names.map(async (name) => ((await stat(join(directory, name))).mode & 0o777).toString(8)))
  const files = ['varispeed.sqlite', 'varispeed.sqlite-wal', 'varispeed.sqlite-shm']
  const storage = await openStorage({ dataDir: directory })
  opened.push(storage)
  await storage.check()
  expect(await modes('..', '', ...files)).toEqual(['700', '700', '600', '600', '600'])
  // What an older version made.
  for (const name of files) await chmod(join(directory, name), 0o644)
  await chmod(directory, 0o755)
  opened.push(await openStorage({ dataDir: directory }))
  expect(await modes('', ...files)).toEqual(['755', '600', '600', '600'])
})

test('a data directory that cannot be made, and a file that is no database, are each one line', async () => {
  await writeFile(join(dataDir, 'file'), '')
  await expect(openStorage({ dataDir: join(dataDir, 'file', 'x') })).rejects.toMatchObject({
    name: 'StorageError',
    message: expect.stringMatching(/^DATA_DIR [^\n]*$/),
  })
  await writeFile(join(dataDir, 'varispeed.sqlite'), 'This is a letter, not a database. '.repeat(200))
  await expect(openStorage({ dataDir })).rejects.toMatchObject({
    name: 'StorageError',
    fault: 'corrupt',
    message: expect.stringMatching(/^[^\n]* is damaged [^\n]*$/),
  })
})

test('a catalogue that was cut short is one line', async () => {
  const storage = await openHere()
  await storage.catalogue.importFile(await catalogueFile(5))
  const [build = ''] = await builds()
  const file = await open(join(dataDir, build), 'r+')
  await file.truncate(0)
  await file.close()
  await expect(openStorage({ dataDir })).rejects.toMatchObject({ name: 'StorageError', fault: 'corrupt' })
})

test('an unfit import leaves no file behind', async () => {
  const storage = await openHere()
  const file = join(dataDir, 'bad.json')
  await writeFile(file, '{"songs": [{}]}')
  await expect(storage.catalogue.importFile(file)).rejects.toBeInstanceOf(ImportError)
  expect(await builds()).toEqual([])
  expect(await storage.songs.get(songId(1), undefined, view)).toBeUndefined()
})
