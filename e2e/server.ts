import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))
export const serverProgram = join(root, 'dist/server/main.js')
export const adminProgram = join(root, 'dist/server/admin.js')

export interface Site {
  port: number
  dataDir: string
  /** The origin of a brand's main site: `origin()` for the default brand, `origin('slowedreverb')` for the other. */
  origin(subdomain?: string): string
  admin(...args: string[]): Promise<string>
  pid: number
  /** What the server has written so far, to both streams. */
  log(): string
  stop(): Promise<void>
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('No free port')
  return address.port
}

/** The environment without the settings of the product that the machine may hold. */
export function cleanEnvironment(change: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, LANG } = process.env
  return { PATH, HOME, TMPDIR, LANG, NODE_ENV: 'production', ...change }
}

export async function runAdmin(dataDir: string, args: string[], env: Record<string, string> = {}): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [adminProgram, ...args], {
    cwd: root,
    env: cleanEnvironment({ DATA_DIR: dataDir, ...env }),
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout
}

/**
 * Starts the built server, or another build of it, and waits until it can serve: on a free port and in a data directory of
 * its own, unless `env` names them.
 */
export async function startSite(env: Record<string, string> = {}, program = serverProgram): Promise<Site> {
  const port = env.PORT === undefined ? await freePort() : Number(env.PORT)
  const dataDir = env.DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'varispeed-e2e-')))
  const child: ChildProcess = spawn(process.execPath, [program], {
    cwd: root,
    env: cleanEnvironment({ PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  const keep = (chunk: Buffer) => {
    log += chunk.toString()
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    if (env.DATA_DIR === undefined) await rm(dataDir, { recursive: true, force: true })
  }
  const deadline = Date.now() + 60_000
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}:\n${log}`)
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined)
    if (answer?.ok) break
    if (Date.now() > deadline) {
      await stop()
      throw new Error(`The server did not get ready:\n${log}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    port,
    dataDir,
    pid: child.pid ?? 0,
    origin: (subdomain) => `http://${subdomain === undefined ? '' : `${subdomain}.`}localhost:${port}`,
    admin: (...args) => runAdmin(dataDir, args),
    log: () => log,
    stop,
  }
}
