import { randomUUID } from 'node:crypto'
import pg from 'pg'

/**
 * The URL of a database of a PostgreSQL server whose user may create databases. If it is set, `describeStores` and `createTestApp` use databases of
 * this server, instead of PGlite and SQLite.
 */
export const postgresServerUrl = process.env.TEST_POSTGRES_URL

/** A database of `postgresServerUrl`. */
interface ServerDatabase {
  url: string
  /** Restores the state of the template. No connection to the database may be open. */
  reset(): Promise<void>
  drop(): Promise<void>
}

const createDatabaseUrl = (name: string) => Object.assign(new URL(postgresServerUrl ?? ''), { pathname: `/${name}` }).href

/** Runs SQL in a database of the server. */
export async function runSql(url: string, sql: string): Promise<void> {
  const pgClient = new pg.Client(url)
  await pgClient.connect()
  try {
    await pgClient.query(sql)
  } finally {
    await pgClient.end()
  }
}

const runOnServer = (sql: string) => runSql(createDatabaseUrl('postgres'), sql)

/** Creates a database that `fillTemplate` fills. Returns a function that creates copies of it. */
export async function createTemplateDatabase(fillTemplate: (url: string) => Promise<void>): Promise<() => Promise<ServerDatabase>> {
  const templateName = `template_${randomUUID()}`
  await runOnServer(`create database "${templateName}"`)
  await fillTemplate(createDatabaseUrl(templateName))
  return async () => {
    const databaseName = `test_${randomUUID()}`
    const createDatabase = () => runOnServer(`create database "${databaseName}" template "${templateName}"`)
    const dropDatabase = () => runOnServer(`drop database "${databaseName}"`)
    await createDatabase()
    return {
      url: createDatabaseUrl(databaseName),
      async reset() {
        await dropDatabase()
        await createDatabase()
      },
      drop: dropDatabase,
    }
  }
}
