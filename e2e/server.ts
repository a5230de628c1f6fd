import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { copyPreparedFolder, prepareFolderOnce } from './prepared.ts'

const projectRoot = fileURLToPath(new URL('..', import.meta.url))
export const serverScriptPath = join(projectRoot, 'dist/server/main.js')
export const adminScriptPath = join(projectRoot, 'dist/server/admin.js')

/** A running server of the built site. */
export interface Site {
  port: number
  dataDir: string
  /** Returns the origin of a brand's main site: `origin()` of the default brand, `origin('slowedreverb')` of the other. */
  origin(subdomain?: string): string
  /** Runs the admin command on the server's data. Returns its output. */
  runAdmin(...args: string[]): Promise<string>
  pid: number
  /** Returns the output that the server has written so far, to stdout and stderr. */
  readLog(): string
  /** Ends the server with SIGTERM. Resolves with its exit code, or with null if a signal ended it. */
  stop(): Promise<number | null>
}

/**
 * The port that is tried next. Different processes start at different ports, so that two of them do not choose the same port before either
 * listens. All ports are below those that systems assign to outgoing connections.
 */
let nextPort = 15_000 + (process.pid % 170) * 100

export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = nextPort++
    const server = createServer().listen(port, '127.0.0.1')
    const isPortFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isPortFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}

/** Returns the environment for a child process. It contains no settings of the product except those in `extraSettings`. */
export function createMinimalEnvironment(extraSettings: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, LANG } = process.env
  return { PATH, HOME, TMPDIR, LANG, NODE_ENV: 'production', ...extraSettings }
}

export async function runAdminCommand(
  dataDir: string,
  args: string[],
  env: Record<string, string> = {},
  programPath = adminScriptPath,
): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [programPath, ...args], {
    cwd: projectRoot,
    env: createMinimalEnvironment({ DATA_DIR: dataDir, ...env }),
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout
}

export interface SiteStartOptions {
  /** The path of the server's script. The default is that of the normal build. */
  programFile?: string
  /** The path of the Node that runs the server. The default is the Node of the test. */
  nodeFile?: string
  /** A folder that is copied to become the data directory. */
  preparedDataDir?: string
}

/** Returns a data folder with the demo catalogue. The catalogue is imported once for all workers of a test run. */
const prepareDemoData = () =>
  prepareFolderOnce('demo', async (folderPath) => {
    const site = await startSite({ DATA_DIR: folderPath })
    await site.stop()
  })

/**
 * Starts the built server, and waits until it serves requests. Unless `env` sets them, the port is a free one, and the data directory a
 * temporary one. In a test run, the temporary directory already contains the demo catalogue.
 */
export async function startSite(
  env: Record<string, string> = {},
  { programFile: program = serverScriptPath, nodeFile = process.execPath, preparedDataDir }: SiteStartOptions = {},
): Promise<Site> {
  const port = env.PORT === undefined ? await findFreePort() : Number(env.PORT)
  const dataDir = env.DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'varispeed-e2e-')))
  const isPlaywrightWorker = process.env.TEST_PARALLEL_INDEX !== undefined
  if (preparedDataDir !== undefined) await copyPreparedFolder(preparedDataDir, dataDir)
  else if (isPlaywrightWorker && env.DATA_DIR === undefined && env.DEMO === undefined)
    await copyPreparedFolder(await prepareDemoData(), dataDir)
  const serverProcess: ChildProcess = spawn(nodeFile, [program], {
    cwd: projectRoot,
    env: createMinimalEnvironment({ PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let serverLog = ''
  const appendLog = (chunk: Buffer) => {
    serverLog += chunk.toString()
  }
  serverProcess.stdout?.on('data', appendLog)
  serverProcess.stderr?.on('data', appendLog)
  const stopSite = async () => {
    if (serverProcess.exitCode === null && serverProcess.signalCode === null) {
      serverProcess.kill('SIGTERM')
      await once(serverProcess, 'exit')
    }
    if (env.DATA_DIR === undefined) await rm(dataDir, { recursive: true, force: true })
    return serverProcess.exitCode
  }
  const deadlineMs = Date.now() + 60_000
  for (;;) {
    if (serverProcess.exitCode !== null) throw new Error(`The server exited with ${serverProcess.exitCode}:\n${serverLog}`)
    const response = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined)
    if (response?.ok) break
    if (Date.now() > deadlineMs) {
      await stopSite()
      throw new Error(`The server was not ready after 60 s:\n${serverLog}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    port,
    dataDir,
    pid: serverProcess.pid ?? 0,
    origin: (subdomain) => `http://${subdomain === undefined ? '' : `${subdomain}.`}localhost:${port}`,
    runAdmin: (...args) => runAdminCommand(dataDir, args),
    readLog: () => serverLog,
    stop: stopSite,
  }
}
