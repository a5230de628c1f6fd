import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFreePort } from '../server.ts'

const DATABASE_USER = 'varispeed'
const postgresVersionsPath = '/usr/lib/postgresql'
const readUserId = (flag: '-u' | '-g') => Number(execFileSync('id', [flag, 'postgres']).toString())

/** A PostgreSQL server of a test, and on request a PgBouncer before it. */
export interface PostgresCluster {
  port: number
  /** Returns the URL of a database. */
  getUrl(database: string): string
  createDatabase(name: string, ...options: string[]): void
  /** Runs SQL. Returns the rows, one a line, with columns separated by `|`. */
  query(database: string, sql: string): string
  start(): Promise<void>
  /** Whether the server is running. It ends by itself when its disk is full. */
  isRunning(): boolean
  /** Ends the server. `immediate` ends it as a failure of the machine would. */
  stop(mode?: 'fast' | 'immediate'): Promise<void>
  /** Starts PgBouncer in transaction mode. Returns the function that returns the URL of a database through PgBouncer. */
  startBouncer(): Promise<(database: string) => string>
}

/**
 * Creates and starts a PostgreSQL server of Debian's package `postgresql` in a folder, on a free port, as the user `postgres` if the tests run as root.
 * `extraSettings` are settings of the server, such as `fsync=off`.
 */
export async function startPostgresCluster(folderPath: string, extraSettings: readonly string[] = []): Promise<PostgresCluster> {
  const newestVersion = existsSync(postgresVersionsPath)
    ? readdirSync(postgresVersionsPath).sort((a, b) => Number(b) - Number(a))[0]
    : undefined
  if (newestVersion === undefined) throw new Error('PostgreSQL is missing: apt-get install postgresql')
  const programDir = `${postgresVersionsPath}/${newestVersion}/bin`
  const serverUserOptions = process.getuid?.() === 0 ? { uid: readUserId('-u'), gid: readUserId('-g') } : {}
  const clusterDir = join(folderPath, 'cluster')
  await chmod(folderPath, 0o755)
  await mkdir(clusterDir)
  if (serverUserOptions.uid !== undefined) await chown(clusterDir, serverUserOptions.uid, serverUserOptions.gid)
  const spawnOptions = { ...serverUserOptions, cwd: clusterDir, stdio: 'ignore' } as const
  execFileSync(
    `${programDir}/initdb`,
    ['-D', clusterDir, '-U', DATABASE_USER, '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8'],
    spawnOptions,
  )
  const port = await findFreePort()
  const connectionArgs = ['-h', '127.0.0.1', '-p', String(port), '-U', DATABASE_USER]
  const childProcesses: ChildProcess[] = []

  async function waitUntilReady(psqlArgs: readonly string[]): Promise<void> {
    for (let attemptIndex = 0; ; attemptIndex++) {
      try {
        execFileSync(`${programDir}/psql`, [...psqlArgs, '-d', 'postgres', '-c', 'select 1'], { stdio: 'ignore' })
        return
      } catch (error) {
        if (attemptIndex > 120) throw error
        await new Promise((resolve) => setTimeout(resolve, 250))
      }
    }
  }

  let serverProcess: ChildProcess | undefined
  async function startCluster(): Promise<void> {
    const serverSettings = ['listen_addresses=127.0.0.1', `unix_socket_directories=${clusterDir}`, ...extraSettings]
    const serverArgs = ['-D', clusterDir, '-p', String(port), ...serverSettings.flatMap((setting) => ['-c', setting])]
    serverProcess = spawn(`${programDir}/postgres`, serverArgs, spawnOptions)
    await waitUntilReady(connectionArgs)
  }
  await startCluster()

  return {
    port,
    isRunning: () => serverProcess !== undefined && serverProcess.exitCode === null && serverProcess.signalCode === null,
    getUrl: (database) => `postgres://${DATABASE_USER}@127.0.0.1:${port}/${database}`,
    createDatabase: (name, ...createOptions) =>
      void execFileSync(`${programDir}/createdb`, [...createOptions, ...connectionArgs, name], { stdio: 'ignore' }),
    query: (database, sql) =>
      execFileSync(`${programDir}/psql`, [...connectionArgs, '-d', database, '-At', '-c', sql])
        .toString()
        .trim(),
    start: startCluster,
    stop: async (stopMode = 'fast') => {
      for (const childProcess of [...childProcesses.splice(0), serverProcess]) {
        if (childProcess === undefined || childProcess.exitCode !== null || childProcess.signalCode !== null) continue
        childProcess.kill(childProcess === serverProcess && stopMode === 'immediate' ? 'SIGQUIT' : 'SIGINT')
        await once(childProcess, 'exit')
      }
    },
    startBouncer: async () => {
      const bouncerPort = await findFreePort()
      const configFile = join(folderPath, 'pgbouncer.ini')
      await writeFile(
        configFile,
        `[databases]
* = host=127.0.0.1 port=${port} user=${DATABASE_USER}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${bouncerPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 5
max_client_conn = 200
ignore_startup_parameters = extra_float_digits
`,
        { mode: 0o644 },
      )
      const bouncerProcess = spawn('/usr/sbin/pgbouncer', [configFile], spawnOptions)
      childProcesses.push(bouncerProcess)
      await Promise.race([
        waitUntilReady(['-h', '127.0.0.1', '-p', String(bouncerPort), '-U', DATABASE_USER]),
        once(bouncerProcess, 'error').then(([error]) => Promise.reject(error)),
      ])
      return (database) => `postgres://${DATABASE_USER}@127.0.0.1:${bouncerPort}/${database}`
    },
  }
}
