import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { bundleProgram } from '../testing/bundle-program.ts'
import { ImportError } from './errors.ts'
import type { Storage } from './open.ts'
import { openStorage } from './open.ts'
import { allRows, createPlaylistRow, createSongRows, formatSongId, songReadOptions } from './testing/fixture.ts'

// Tests SQLite with several processes, killed processes and file system errors.

// The time limit is long, because starting processes takes long on a busy machine.
vi.setConfig({ testTimeout: 90_000 })

let dataDir: string
const openedStorages: Storage[] = []
const childProcesses: ChildProcess[] = []
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'varispeed-faults-'))
})
afterEach(async () => {
  for (const child of childProcesses.splice(0)) child.kill('SIGKILL')
  for (const storage of openedStorages.splice(0)) await storage.close()
  await rm(dataDir, { recursive: true, force: true })
})

const openTestStorage = async () => {
  const storage = await openStorage({ dataDir })
  openedStorages.push(storage)
  return storage
}

async function startScript(scriptPath: string, ...args: string[]): Promise<ChildProcess> {
  const filePath = await bundleProgram(new URL(`./testing/${scriptPath}`, import.meta.url))
  const child = spawn(process.execPath, [filePath, dataDir, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  childProcesses.push(child)
  return child
}

async function createCatalogueFile(songCount: number): Promise<string> {
  const file = join(dataDir, `rows-${songCount}.json`)
  await writeFile(file, JSON.stringify({ songs: createSongRows(songCount), playlists: [createPlaylistRow('one', [1, 2])] }))
  return file
}

const countHouseSongs = async (storage: Storage) => (await storage.playlists.get('house', allRows, songReadOptions))?.songs.length ?? 0
const listBuildFiles = async () => (await readdir(dataDir)).filter((name) => /^catalogue-\d+\.sqlite$/.test(name))

test('an import by another process changes the rows and the revision of this process', { tags: ['long'] }, async () => {
  const storage = await openTestStorage()
  await storage.catalogue.importFile(await createCatalogueFile(5))
  const revisionBefore = storage.revision()
  const [exitCode] = await once(await startScript('import-process.ts', await createCatalogueFile(9)), 'exit')
  expect(exitCode).toBe(0)
  await expect.poll(() => countHouseSongs(storage)).toBe(9)
  expect(storage.revision()).not.toBe(revisionBefore)
  expect(await listBuildFiles()).toHaveLength(1)
})

test('a killed import changes nothing, and its files are deleted later', async () => {
  const storage = await openTestStorage()
  await storage.catalogue.importFile(await createCatalogueFile(5))
  const importProcess = await startScript('import-process.ts', await createCatalogueFile(60_000))
  while ((await listBuildFiles()).length < 2) await sleep(5)
  await expect(storage.catalogue.importFile(await createCatalogueFile(7))).rejects.toThrow(/^Another import is under way/)
  importProcess.kill('SIGKILL')
  await once(importProcess, 'exit')
  expect(await countHouseSongs(storage)).toBe(5)
  const storageAfter = await openTestStorage()
  expect(await listBuildFiles()).toHaveLength(1)
  expect(await countHouseSongs(storageAfter)).toBe(5)
  await storageAfter.catalogue.importFile(await createCatalogueFile(7))
  expect(await countHouseSongs(storageAfter)).toBe(7)
})

test('writes succeed while another process imports', { tags: ['long'] }, async () => {
  const storage = await openTestStorage()
  await storage.catalogue.importFile(await createCatalogueFile(5))
  const importProcess = await startScript('import-process.ts', await createCatalogueFile(60_000))
  const processEnded = once(importProcess, 'exit')
  while ((await listBuildFiles()).length < 2) await sleep(5)
  // The import is suspended, so that the writes happen during the import however fast the processes run.
  importProcess.kill('SIGSTOP')
  for (let count = 0; count < 50; count++) await storage.contacts.add({ topic: 'other', message: 'x', brandId: 'b', atMs: 1 })
  expect(await listBuildFiles(), 'the next catalogue is not complete').toHaveLength(2)
  importProcess.kill('SIGCONT')
  while (importProcess.exitCode === null) {
    await storage.contacts.add({ topic: 'other', message: 'x', brandId: 'b', atMs: 1 })
    await sleep(5)
  }
  await processEnded
  expect(importProcess.exitCode).toBe(0)
})

test('acknowledged writes survive the kill of the process', { tags: ['long'] }, async () => {
  const writeProcess = await startScript('write-process.ts')
  let acknowledgedCount = 0
  writeProcess.stdout?.on('data', (chunk: Buffer) => {
    acknowledgedCount += chunk.filter((byte) => byte === 10).length
  })
  while (acknowledgedCount < 500) await sleep(10)
  writeProcess.kill('SIGKILL')
  await once(writeProcess, 'exit')
  const storage = await openTestStorage()
  const storedMessages = await storage.contacts.list(allRows)
  expect(storedMessages.length).toBeGreaterThanOrEqual(acknowledgedCount)
  expect(new Set(storedMessages.map((each) => each.message)).size).toBe(storedMessages.length)
})

test('a sign-up or a password change is stored completely or not at all if the process is killed', async () => {
  const accountProcess = await startScript('account-process.ts')
  let acknowledgedCount = 0
  accountProcess.stdout?.on('data', (chunk: Buffer) => {
    acknowledgedCount += chunk.filter((byte) => byte === 10).length
  })
  while (acknowledgedCount < 500) await sleep(10)
  accountProcess.kill('SIGKILL')
  await once(accountProcess, 'exit')
  const { accounts, logins } = await openTestStorage()
  const storedAccounts = await accounts.list(allRows)
  const canRotateLogin = async (accountName: string, password: string) =>
    (await logins.rotate({
      familyId: `${accountName} ${password}`,
      presentedHash: `${accountName} ${password} token`,
      replacementHash: `${accountName} ${password} next`,
      atMs: 3,
      graceMs: 10,
      device: '',
      network: '',
    })) !== undefined
  for (const { uid, passwordHash } of storedAccounts) {
    expect([uid, await canRotateLogin(uid, 'first'), await canRotateLogin(uid, 'second')]).toEqual([
      uid,
      passwordHash === 'first',
      passwordHash === 'second',
    ])
  }
  const changeCount = storedAccounts.reduce((sum, each) => sum + (each.passwordHash === 'second' ? 2 : 1), 0)
  expect(changeCount).toBeGreaterThanOrEqual(acknowledgedCount)
})

test('processes that open a database concurrently apply each migration once', async () => {
  const allStorages = await Promise.all([openTestStorage(), openTestStorage(), openTestStorage()])
  for (const storage of allStorages) await storage.checkHealth()
})

test('the database files and their directory are readable by their owner only', async () => {
  const missingDir = join(dataDir, 'new', 'data')
  const readFileModes = (...names: string[]) =>
    Promise.all(names.map(async (name) => ((await stat(join(missingDir, name))).mode & 0o777).toString(8)))
  const databaseFiles = ['varispeed.sqlite', 'varispeed.sqlite-wal', 'varispeed.sqlite-shm']
  const storage = await openStorage({ dataDir: missingDir })
  openedStorages.push(storage)
  await storage.checkHealth()
  expect(await readFileModes('..', '', ...databaseFiles)).toEqual(['700', '700', '600', '600', '600'])
  // Simulates files that an older program version created with wider permissions.
  for (const name of databaseFiles) await chmod(join(missingDir, name), 0o644)
  await chmod(missingDir, 0o755)
  openedStorages.push(await openStorage({ dataDir: missingDir }))
  expect(await readFileModes('', ...databaseFiles)).toEqual(['755', '600', '600', '600'])
})

test('an import in a directory that other users may read creates only files that only their owner can read', async () => {
  await chmod(dataDir, 0o755)
  const storage = await openTestStorage()
  await storage.catalogue.importFile(await createCatalogueFile(5))
  const listFileModes = async () => {
    const names = (await readdir(dataDir)).filter((name) => !name.endsWith('.json'))
    return Object.fromEntries(await Promise.all(names.map(async (name) => [name, (await stat(join(dataDir, name))).mode & 0o777])))
  }
  const [buildFileName = ''] = await listBuildFiles()
  const fileModes = await listFileModes()
  expect(Object.keys(fileModes)).toEqual(expect.arrayContaining([buildFileName, 'import.lock']))
  expect(new Set(Object.values(fileModes))).toEqual(new Set([0o600]))
  // Simulates files that an older version of the program left.
  for (const name of [buildFileName, 'import.lock']) await chmod(join(dataDir, name), 0o644)
  await openTestStorage()
  expect(await listFileModes()).toEqual(fileModes)
})

test('an unusable data directory and an invalid database file are reported in one line', async () => {
  await writeFile(join(dataDir, 'file'), '')
  // On Linux, the attempt to create a folder in /proc fails with the error code of a missing folder.
  for (const unusableFolder of [join(dataDir, 'file', 'x'), '/proc/nope/data'])
    await expect(openStorage({ dataDir: unusableFolder })).rejects.toMatchObject({
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

test('a truncated catalogue file is reported in one line', async () => {
  const storage = await openTestStorage()
  await storage.catalogue.importFile(await createCatalogueFile(5))
  const [buildFile = ''] = await listBuildFiles()
  const buildFileHandle = await open(join(dataDir, buildFile), 'r+')
  await buildFileHandle.truncate(0)
  await buildFileHandle.close()
  await expect(openStorage({ dataDir })).rejects.toMatchObject({ name: 'StorageError', fault: 'corrupt' })
})

test('an invalid import leaves no file', async () => {
  const storage = await openTestStorage()
  const importFile = join(dataDir, 'bad.json')
  await writeFile(importFile, '{"songs": [{}]}')
  await expect(storage.catalogue.importFile(importFile)).rejects.toBeInstanceOf(ImportError)
  expect(await listBuildFiles()).toEqual([])
  expect(await storage.songs.get(formatSongId(1), undefined, songReadOptions)).toBeUndefined()
})
