import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openFolderStore } from '../../files/folder-store.ts'
import { sqlTypes } from '../database.ts'
import { migrations } from '../migrations.ts'
import { openStorage, type Storage } from '../open.ts'
import { SqliteFile } from '../sqlite-driver.ts'
import { extractArchive, openFileAt, writeArchive } from './archive.ts'
import { createBackup, createDatedBackupPath } from './create-backup.ts'
import { type CheckFiles, type RestoreOptions, restoreBackup } from './restore-backup.ts'

let workFolder = ''
let dataDir = ''
let backupPath = ''
const backUp = async (filePath = backupPath, keptCount?: number, checkFiles: CheckFiles = async () => [], siteDir = dataDir) =>
  createBackup(filePath, {
    ...{
      dataDir: siteDir,
      databaseUrl: undefined,
      build: 'a-build',
      nowMs: Date.UTC(2026, 10, 26),
      checkFiles,
      keptCount,
    },
    sharedFiles: await openFolderStore(siteDir),
  })
const restoreSite = (filePath = backupPath, bucket?: RestoreOptions['bucket']) =>
  restoreBackup(filePath, {
    dataDir,
    databaseUrl: undefined,
    nowMs: 1,
    replace: true,
    bucket,
    checkFiles: async () => [],
    report: () => {},
  })
const changeFile = (filePath: string, sqlStatements: string) => {
  const handle = new SqliteFile(filePath)
  handle.exec(sqlStatements)
  handle.close()
}
async function withStorage<T>(runWithStorage: (storage: Storage) => Promise<T>): Promise<T> {
  const storage = await openStorage({ dataDir })
  try {
    return await runWithStorage(storage)
  } finally {
    await storage.close()
  }
}
const setTitle = (title: string) => withStorage(({ settings }) => settings.set('HERO_TITLE', title, undefined))
const readTitle = () => withStorage(async ({ settings }) => (await settings.readForBrand('nightcore-meridian')).HERO_TITLE)

beforeEach(async () => {
  workFolder = mkdtempSync(join(tmpdir(), 'varispeed-backup-'))
  dataDir = join(workFolder, 'data')
  backupPath = join(workFolder, 'site.backup')
  await setTitle('first')
})
afterEach(() => rmSync(workFolder, { recursive: true, force: true }))

test('a backup compares every table except migrations and state', async () => {
  const tables = Object.keys((await backUp()).tables)
  const databaseHandle = new SqliteFile(join(dataDir, 'varispeed.sqlite'), { readonly: true })
  const tableNames = databaseHandle
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite%'")
    .pluck()
    .all()
    .map(String)
  databaseHandle.close()
  expect(tableNames).toContain('refresh_tokens')
  expect(tables.sort()).toEqual(tableNames.filter((name) => !['migrations', 'state'].includes(name)).sort())
})

test('a backup has the files of the conversions that the database knows, and no other file of conversions', async () => {
  const doneConversion = {
    id: 'known',
    uid: 'ann',
    state: 'done',
    file_name: 'a.mp3',
    upload_bytes: 1,
    file_bytes: 3,
    demuxer: 'wav',
    rate: 1.25,
    format: 'mp3',
    message: '',
    secret: 's',
    created: 1,
  } as const
  await withStorage(({ conversions }) => conversions.add(doneConversion, 1, 0))
  mkdirSync(join(dataDir, 'conversions'))
  for (const name of ['known.out', 'unknown.out', 'known.3f-out']) writeFileSync(join(dataDir, 'conversions', name), name)
  expect((await backUp()).files).toBe(2)
  rmSync(dataDir, { recursive: true })
  expect(await restoreSite()).toEqual({ replacedDir: undefined })
  expect(readdirSync(join(dataDir, 'conversions'))).toEqual(['known.out'])
  expect(readFileSync(join(dataDir, 'conversions/known.out'), 'utf8')).toBe('known.out')
  expect(await withStorage(({ conversions }) => conversions.find('known'))).toMatchObject(doneConversion)
})

test('in a bucket, the signing keys are replaced after the database; if they cannot be, the restore says that the rest is done', async () => {
  mkdirSync(join(dataDir, 'identity'))
  writeFileSync(join(dataDir, 'identity/keys.json'), 'keys')
  await backUp()
  const moves: string[] = []
  const restoreWith = async (moveIn: () => void) => {
    await setTitle('second')
    const moveInAtTitle = async (_path: string, name: string) => {
      moves.push(`${name} at ${await readTitle()}`)
      moveIn()
    }
    return restoreSite(backupPath, { moveIn: moveInAtTitle })
  }
  const fail = () => {
    throw new Error('out of reach')
  }
  await expect(restoreWith(fail)).rejects.toThrow(
    'All was restored but the signing keys in the bucket; restore the backup again: out of reach',
  )
  expect(await readTitle()).toBe('first')
  await restoreWith(() => {})
  expect(moves).toEqual(['identity/keys.json at first', 'identity/keys.json at first'])
  expect(readdirSync(dataDir).filter((name) => name.startsWith('restore-'))).toEqual([])
})

test('the time of the last successful backup is stored in the database, and a failed backup does not change it', async () => {
  const readTime = () => withStorage((storage) => storage.readBackupTime())
  expect(await readTime()).toBe(0)
  await expect(backUp(join(workFolder, 'none/site.backup'))).rejects.toThrow('cannot be written (ENOENT)')
  expect(await readTime()).toBe(0)
  await backUp()
  expect(await readTime()).toBe(Date.UTC(2026, 10, 26))
})

const createDatedPath = (day: number) => createDatedBackupPath(join(workFolder, 'backups'), Date.UTC(2026, 10, day))

test('old backups are deleted after a good backup only, and other files never', async () => {
  const backupsDir = join(workFolder, 'backups')
  mkdirSync(backupsDir)
  for (const name of ['notes.txt', 'other.backup', 'varispeed-1.partial']) writeFileSync(join(backupsDir, name), '')
  for (const day of [21, 22, 23]) writeFileSync(createDatedPath(day), '')
  await expect(backUp(createDatedPath(24), 2, async () => ['no keys'])).rejects.toThrow('no keys')
  expect(readdirSync(backupsDir)).toHaveLength(6)
  await backUp(createDatedPath(24), 2)
  expect(readdirSync(backupsDir).map((name) => join(backupsDir, name))).toEqual([
    ...['notes.txt', 'other.backup', 'varispeed-1.partial'].map((name) => join(backupsDir, name)),
    ...[createDatedPath(23), createDatedPath(24)],
  ])
})

test('the remains of killed backups are deleted before a backup is made, so that they do not take its room', async () => {
  const backupsDir = join(workFolder, 'backups')
  for (const name of [`${createDatedPath(20)}.partial`, join(backupsDir, 'site.backup.partial')]) {
    mkdirSync(join(name, 'snapshot'), { recursive: true })
    writeFileSync(join(name, 'snapshot/varispeed.sqlite'), 'large')
  }
  let namesDuringBackup: string[] = []
  const checkFiles = async () => {
    namesDuringBackup = readdirSync(backupsDir)
    return ['no keys']
  }
  await expect(backUp(createDatedPath(21), undefined, checkFiles)).rejects.toThrow('no keys')
  expect(namesDuringBackup).toEqual([basename(`${createDatedPath(21)}.partial`)])
  expect(readdirSync(backupsDir)).toEqual([])
})

test('a backup does not touch one that another site makes in the same folder', async () => {
  const otherDir = join(workFolder, 'other')
  await (await openStorage({ dataDir: otherDir })).close()
  mkdirSync(join(workFolder, 'backups'))
  const backup = await backUp(createDatedPath(21), undefined, async () => {
    await backUp(createDatedPath(22), undefined, async () => [], otherDir)
    return []
  })
  expect(backup.files).toBeGreaterThan(0)
  expect(readdirSync(join(workFolder, 'backups'))).toHaveLength(2)
})

test('of two backups at the same time one is refused', async () => {
  const outcomes = await Promise.allSettled([backUp(), backUp(join(workFolder, 'other.backup'))])
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  expect(reasons).toMatchObject([{ message: 'Another backup is under way; try again when it has ended.' }])
})

/** Writes a backup with a changed database and the right checksums of its files. */
async function changeBackup(sqlStatements: string): Promise<void> {
  const extractedDir = join(workFolder, 'extracted')
  mkdirSync(extractedDir)
  const tableDigests = (await extractArchive(backupPath, extractedDir)) ?? {}
  changeFile(join(extractedDir, 'varispeed.sqlite'), sqlStatements)
  rmSync(backupPath)
  const backupFacts = { build: '', schema: '', database: 'sqlite', time: '' }
  await writeArchive(backupPath, {
    files: new Map([['varispeed.sqlite', openFileAt(join(extractedDir, 'varispeed.sqlite'))]]),
    tables: tableDigests,
    facts: backupFacts,
  })
}

async function expectRefused(refusalReason: string | RegExp): Promise<void> {
  await setTitle('second')
  await expect(restoreSite()).rejects.toThrow(refusalReason)
  expect(await readTitle()).toBe('second')
  expect(readdirSync(dataDir).filter((name) => name.includes('restore'))).toEqual([])
}

test('a backup whose database has other rows than the site had is refused', async () => {
  await backUp()
  await changeBackup("update settings set value = 'other'")
  await expectRefused('The backup is damaged: settings has 1 rows, other than the 1 of the site.')
})

test('a backup of a newer version of the database is refused, and so is one of a newer format', async () => {
  await backUp()
  await changeBackup("insert into migrations (name, applied) values ('999-later', 1)")
  await expectRefused("newer version of this program (it has '999-later')")
  changeFile(backupPath, 'pragma user_version = 3')
  await expectRefused('was made by a newer version of this program; update the program.')
})

test('a backup of an older version is brought up to date, and one of the first format is restored', async () => {
  const missingMigration = migrations.find(({ name }) => name === '033-push-subscriptions')
  const tableNames = (missingMigration?.statements(sqlTypes.sqlite) ?? []).flatMap((text) => /^create table (\w+)/.exec(text)?.[1] ?? [])
  expect(tableNames.length).toBeGreaterThan(0)
  const undoStatements = tableNames.map((table) => `drop table ${table}`).join(';')
  changeFile(join(dataDir, 'varispeed.sqlite'), `${undoStatements}; delete from migrations where name = '${missingMigration?.name}'`)
  await backUp()
  changeFile(backupPath, 'drop table tables; drop table facts; pragma user_version = 1')
  await setTitle('second')
  await restoreSite()
  expect(await readTitle()).toBe('first')
  expect(await withStorage((storage) => storage.findProblems())).toEqual([])
})

test('a truncated backup is refused', async () => {
  await backUp()
  const backupBytes = readFileSync(backupPath)
  for (const share of [0, 0.1, 0.5, 0.99]) {
    writeFileSync(backupPath, backupBytes.subarray(0, backupBytes.length * share))
    await expectRefused(/is no complete backup of this program\.$|is damaged/)
  }
  expect(existsSync(backupPath)).toBe(true)
})
