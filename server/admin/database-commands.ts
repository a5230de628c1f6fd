import { resolve } from 'node:path'
import { ConfigError, readConfig } from '../config.ts'
import { findKeyProblems } from '../identity/keys.ts'
import { restoreBackup } from '../storage/backup.ts'
import { openPostgres } from '../storage/dialects/postgres.ts'
import { createBackup } from '../storage/dialects/sqlite-backup.ts'
import { moveToPostgres } from '../storage/move-to-postgres.ts'
import { CommandError, defineCommand, defineStandaloneCommand, type StandaloneContext, UsageError } from './command.ts'

function requireSqlite({ config }: StandaloneContext, advice: string): void {
  if (config.databaseUrl !== undefined) throw new CommandError(`The database is PostgreSQL: ${advice}`)
}

const sizeText = (bytes: number) => `${Math.max(0.1, bytes / 1_000_000).toFixed(1)} MB`

export const backupCommand = defineStandaloneCommand({
  words: 'backup',
  summary: 'Writes the database, the catalogue and the signing keys into one new file.',
  details: 'Converted songs and cached pictures are not in it. The file holds secrets: keep it where only you can read it.',
  operands: { file: { help: 'the file to make; it must not exist' } },
  run: async ({ file }, context) => {
    requireSqlite(context, 'back it up with pg_dump, and DATA_DIR/identity with it')
    const path = resolve(file)
    const bytes = await createBackup(context.config.dataDir, path)
    return { text: `${path} is a backup of ${sizeText(bytes)}.`, data: { file: path, bytes } }
  },
})

export const restoreCommand = defineStandaloneCommand({
  words: 'restore',
  summary: 'Replaces the data by those of a backup, after checking it. The server must be stopped.',
  details: 'The replaced files are moved to a folder in DATA_DIR.',
  operands: { file: { help: "a file that 'backup' made" } },
  run: async ({ file }, context) => {
    requireSqlite(context, 'restore it with pg_restore, then run database restored')
    const path = resolve(file)
    const { replacedDir } = await restoreBackup(context.config.dataDir, path, Date.now(), findKeyProblems)
    return {
      text: `The data are those of ${path}. What they replace is in ${replacedDir}: delete it when the site works.`,
      data: { file: path, replaced: replacedDir },
    }
  },
})

export const checkCommand = defineCommand({
  words: 'check',
  summary: 'Checks the database, the catalogue, the search index and the signing keys. The exit code is 1 if something is wrong.',
  run: async (_args, { storage, config }) => {
    const problems = [...(await storage.findProblems()), ...(await findKeyProblems(config.dataDir))]
    return {
      text: problems.length === 0 ? 'Everything is in order.' : problems.join('\n'),
      data: { problems },
      failed: problems.length > 0,
    }
  },
})

/** @throws UsageError if the text is not the URL of a PostgreSQL database */
function parseDatabaseUrl(text: string): string {
  try {
    const { databaseUrl } = readConfig({ DATABASE_URL: text })
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
    const tables = await moveToPostgres(context.config.dataDir, () => openPostgres(databaseUrl), context.report)
    const counts = Object.values(tables)
    const rows = counts.reduce((sum, count) => sum + count, 0)
    return {
      text: `${rows} rows of ${counts.length} tables are in PostgreSQL. Set DATABASE_URL to its address, and start the server.`,
      data: { rows, tables },
    }
  },
})

export const databaseRestoredCommand = defineCommand({
  words: 'database restored',
  summary: 'To be run after a backup was put back: devices ask anew for all that they keep of the site.',
  run: async (_args, { storage }) => {
    const lists = await storage.favorites.resetCursors()
    const accounts = await storage.ownPlaylists.resetCursors()
    const favoritesText = `${lists} ${lists === 1 ? 'list' : 'lists'} of favorites`
    return {
      text: `${favoritesText} and the playlists of ${accounts} ${accounts === 1 ? 'account' : 'accounts'} will be asked for anew.`,
      data: { lists, playlist_accounts: accounts },
    }
  },
})
