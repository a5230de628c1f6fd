import { statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { findBackupProblems } from '../backups/backups.ts'
import { findClientDir, nameBuild } from '../build-name.ts'
import { ConfigError, readConfig } from '../config.ts'
import { FileStoreError } from '../files/file-store.ts'
import { openFolderStore } from '../files/folder-store.ts'
import { openFileStore } from '../files/open.ts'
import { findKeyProblems } from '../identity/keys.ts'
import { createBackup, createDatedBackupPath } from '../storage/backup/create-backup.ts'
import { restoreBackup } from '../storage/backup/restore-backup.ts'
import { openPostgres } from '../storage/dialects/postgres.ts'
import { StorageError } from '../storage/errors.ts'
import { moveToPostgres } from '../storage/move-to-postgres.ts'
import { CommandError, defineCommand, defineStandaloneCommand, type StandaloneContext, toPrintable, UsageError } from './command.ts'

function requireSqlite({ config }: StandaloneContext, advice: string): void {
  if (config.databaseUrl !== undefined) throw new CommandError(`The database is PostgreSQL: ${advice}`)
}

const formatSize = (bytes: number) => `${Math.max(0.1, bytes / 1_000_000).toFixed(1)} MB`

/** @throws UsageError if the text is not a number of backups */
function parseKeptBackupCount(countText: string | undefined): number | undefined {
  if (countText === undefined) return undefined
  if (!/^[1-9]\d{0,4}$/.test(countText)) throw new UsageError(`--keep must be a number from 1, not '${toPrintable(countText)}'`)
  return Number(countText)
}

const checkFiles = async (dir: string) => findKeyProblems(await openFolderStore(dir))

/** Returns the options of a backup of the site, apart from its file. */
const createBackupOptions = async (config: StandaloneContext['config'], nowMs: number) => ({
  dataDir: config.dataDir,
  databaseUrl: config.databaseUrl,
  sharedFiles: await openFileStore(config),
  build: nameBuild(findClientDir()),
  nowMs,
  checkFiles,
})

export const backupCommand = defineStandaloneCommand({
  words: 'backup',
  summary: 'Writes everything that the site cannot be rebuilt from into one new file, and checks that it can be restored.',
  details: [
    'The file has the database (SQLite or PostgreSQL), the catalogue, the signing keys and the files of conversions; cached pictures are not in it. It holds',
    'secrets: keep it where only you can read it. In a folder, its name is made from the time.',
  ].join('\n'),
  operands: { file: { help: 'the file to make, which must not exist, or an existing folder' } },
  options: { keep: { value: 'N', help: 'deletes all but the newest N backups of the folder, once the new one is checked' } },
  run: async ({ file, keep }, { config }) => {
    const nowMs = Date.now()
    const keptCount = parseKeptBackupCount(keep)
    const isFolderPath = statSync(file, { throwIfNoEntry: false })?.isDirectory() === true
    if (keptCount !== undefined && !isFolderPath) throw new UsageError('--keep needs a folder, not a file')
    const filePath = isFolderPath ? createDatedBackupPath(resolve(file), nowMs) : resolve(file)
    const { bytes, tables, files, ...backupFacts } = await createBackup(filePath, {
      ...(await createBackupOptions(config, nowMs)),
      keptCount,
    })
    const rowCount = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
    return {
      text: `${filePath} is a backup of ${formatSize(bytes)}: ${rowCount} rows and ${files} files, restored and compared.`,
      data: { file: filePath, bytes, rows: rowCount, files, ...backupFacts, tables },
    }
  },
})

export const restoreCommand = defineStandaloneCommand({
  words: 'restore',
  summary: 'Puts the data of a backup into an empty place, after checking them. The server must be stopped.',
  details: [
    'The place is DATA_DIR, and the PostgreSQL database of DATABASE_URL if it is set, whichever database the backup was made of.',
    'With --replace, replaced files are moved to a folder in DATA_DIR, and of a PostgreSQL database a backup is made there first. Only the version that',
    'changed the database last can make that backup: make it by hand with that version, and restore with --without-backup.',
  ].join('\n'),
  operands: { file: { help: "a file that 'backup' made" } },
  options: {
    replace: { help: 'replaces existing data' },
    'without-backup': { help: 'with --replace, makes no backup of the PostgreSQL database' },
  },
  run: async ({ file, replace, 'without-backup': withoutBackup }, { config, report }) => {
    if (withoutBackup && !replace) throw new UsageError('--without-backup needs --replace')
    const filePath = resolve(file)
    const { dataDir, databaseUrl } = config
    const nowMs = Date.now()
    if (replace && !withoutBackup && databaseUrl !== undefined) {
      await mkdir(dataDir, { recursive: true, mode: 0o700 })
      const earlier = join(dataDir, `before-${basename(createDatedBackupPath('', nowMs))}`)
      await createBackup(earlier, await createBackupOptions(config, nowMs)).catch((error: unknown) => {
        if (!(error instanceof StorageError) || error.fault !== 'version') throw error
        throw new CommandError(
          'The database belongs to another version of this program: make a backup of it with that version, then restore with --replace --without-backup.',
        )
      })
      report(`${earlier} is a backup of what is replaced.`)
    }
    const bucketStore = config.s3 && (await openFileStore(config))
    const { replacedDir } = await restoreBackup(filePath, { dataDir, databaseUrl, nowMs, replace, checkFiles, bucket: bucketStore, report })
    const replacedText =
      replacedDir === undefined ? '' : ` The files that they replace are in ${replacedDir}: delete it when the site works.`
    return { text: `The data are those of ${filePath}.${replacedText}`, data: { file: filePath, replaced: replacedDir ?? null } }
  },
})

export const checkCommand = defineCommand({
  words: 'check',
  summary:
    'Checks the database, the catalogue, the search index, the signing keys and the age of the last backup. The exit code is 1 if something is wrong.',
  run: async (_args, { storage, config }) => {
    const fileProblems = [
      ...(await storage.findProblems()),
      ...(await openFileStore(config).then(findKeyProblems, (error: unknown) => [
        error instanceof FileStoreError ? error.message : String(error),
      ])),
      ...(config.backup === undefined ? [] : findBackupProblems(await storage.readBackupTime(), Date.now())),
    ]
    return {
      text: fileProblems.length === 0 ? 'Everything is in order.' : fileProblems.join('\n'),
      data: { problems: fileProblems },
      failed: fileProblems.length > 0,
    }
  },
})

/** @throws UsageError if the text is not the URL of a PostgreSQL database */
function parseDatabaseUrl(urlText: string): string {
  try {
    const { databaseUrl } = readConfig({ DATABASE_URL: urlText })
    if (databaseUrl !== undefined) return databaseUrl
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
  }
  // The error message does not repeat the URL, because it may contain a password.
  throw new UsageError('--database-url must be a postgres:// URL')
}

export const moveToCommand = defineStandaloneCommand({
  words: 'move-to',
  summary: 'Copies all data from SQLite to an empty PostgreSQL database. The server must be stopped.',
  details: 'The SQLite database stays as it is. Afterwards set DATABASE_URL and start the server.',
  options: { 'database-url': { value: 'URL', help: 'postgres://user:password@host/database', required: true } },
  run: async ({ 'database-url': url }, context) => {
    const databaseUrl = parseDatabaseUrl(url)
    requireSqlite(context, 'unset DATABASE_URL to move from SQLite')
    const tables = await moveToPostgres(context.config.dataDir, (filling) => openPostgres(databaseUrl, undefined, filling), context.report)
    const tableCounts = Object.values(tables)
    const rowCount = tableCounts.reduce((sum, count) => sum + count, 0)
    return {
      text: `${rowCount} rows of ${tableCounts.length} tables are in PostgreSQL. Set DATABASE_URL to its address, and start the server.`,
      data: { rows: rowCount, tables },
    }
  },
})

export const databaseRestoredCommand = defineCommand({
  words: 'database restored',
  summary: 'To be run after a backup was put back: devices and running servers ask anew for all that they keep of the site.',
  run: async (_args, { storage }) => {
    const listCount = await storage.favorites.resetCursors()
    const accountCount = await storage.ownPlaylists.resetCursors()
    await storage.outdateReads()
    const favoritesText = `${listCount} ${listCount === 1 ? 'list' : 'lists'} of favorites`
    return {
      text: `${favoritesText} and the playlists of ${accountCount} ${accountCount === 1 ? 'account' : 'accounts'} will be asked for anew.`,
      data: { lists: listCount, playlist_accounts: accountCount },
    }
  },
})
