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

const urlOf = (name: string) => Object.assign(new URL(postgresServerUrl ?? ''), { pathname: `/${name}` }).href

/** Runs SQL in a database of the server. */
export async function runSql(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

const runOnServer = (sql: string) => runSql(urlOf('postgres'), sql)

/** Creates a database that `fill` fills. Returns a function that creates copies of it. */
export async function createTemplateDatabase(fill: (url: string) => Promise<void>): Promise<() => Promise<ServerDatabase>> {
  const template = `template_${randomUUID()}`
  await runOnServer(`create database "${template}"`)
  await fill(urlOf(template))
  return async () => {
    const name = `test_${randomUUID()}`
    const create = () => runOnServer(`create database "${name}" template "${template}"`)
    const drop = () => runOnServer(`drop database "${name}"`)
    await create()
    return {
      url: urlOf(name),
      async reset() {
        await drop()
        await create()
      },
      drop,
    }
  }
}
