import { join } from 'node:path'
import { WEBHOOK_SECRET } from '../../server/payments/testing/signed-events.ts'
import { findFreePort, type Site, startSite } from '../server.ts'
import { readExampleSettings } from './example-files.ts'
import { type RunningProxy, startNginx } from './proxy-process.ts'
import { requestOverHttps } from './proxy-requests.ts'

export const HOST = 'example.org'
export const PROCESSES = [0, 1] as const
const LOG_SHOWN_LENGTH = 10_000

/**
 * Two built servers with one data directory and one database, behind nginx with the repository's example, which sends requests to them alternately.
 */
export interface TwoProcessSite {
  sites: Site[]
  proxy: RunningProxy
  dataDir: string
  env: Record<string, string>
  /** Ends the process at an index with a signal, and starts it again with the same settings after a pause. */
  restart(index: number, signal?: NodeJS.Signals, pauseMs?: number): Promise<void>
  /** Returns what all processes have logged, also those that have ended. */
  readLogs(): string
  /** Calls the API through the proxy. */
  call<T = unknown>(path: string, body?: object, token?: string): Promise<{ status: number; body: T }>
  stop(): Promise<void>
}

/** The settings in which the processes may differ, and the ports at which nginx finds them; by default their own. */
export interface TwoProcessOptions {
  envOf?: (index: number) => Record<string, string>
  reachedAt?: (port: number) => Promise<number>
  /** How often the start of a process is tried that ends at once, as the service manager does (`Restart` in `deploy/varispeed.service`). */
  startAttemptCount?: number
}

/** The pause between two attempts, `RestartSec` of the service. */
const RESTART_MS = 2000

export async function startTwoProcessSite(
  folderPath: string,
  settings: Record<string, string>,
  { envOf = () => ({}), reachedAt = async (port) => port, startAttemptCount: startAttempts = 1 }: TwoProcessOptions = {},
): Promise<TwoProcessSite> {
  const env = {
    ...(await readExampleSettings()),
    ...{ DATA_DIR: join(folderPath, 'data'), DEMO: 'on', STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET, MAIL_TO: 'team@example.org' },
    ...{ RATE_LIMIT_SIGNUP: '500', RATE_LIMIT_CONTACT: '500' },
    ...settings,
  }
  const ports = [await findFreePort(), await findFreePort()]
  async function start(index: number, attempts = startAttempts): Promise<Site> {
    try {
      return await startSite({ ...env, ...envOf(index), PORT: String(ports[index]) })
    } catch (error) {
      if (attempts <= 1) throw error
      await new Promise((resolve) => setTimeout(resolve, RESTART_MS))
      return start(index, attempts - 1)
    }
  }
  const sites: Site[] = []
  for (const index of PROCESSES) sites.push(await start(index))
  const proxy = await startNginx(folderPath, await Promise.all(ports.map(reachedAt)))
  let endedLogs = ''
  return {
    ...{ sites, proxy, env, dataDir: env.DATA_DIR },
    restart: async (index, signal = 'SIGTERM', pauseMs = 0) => {
      const site = sites[index]
      if (site !== undefined) {
        try {
          process.kill(site.pid, signal)
        } catch (cause) {
          throw new Error(`Process ${index} has ended by itself:\n${site.readLog().slice(-LOG_SHOWN_LENGTH)}`, { cause })
        }
        await site.stop()
        endedLogs += site.readLog()
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      sites[index] = await start(index)
    },
    readLogs: () => endedLogs + sites.map((site) => site.readLog()).join(''),
    call: async (urlPath, body, token) => {
      const headers = { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) }
      const options = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
      const response = await requestOverHttps(proxy, HOST, urlPath, options)
      return { status: response.status, body: JSON.parse(response.body) }
    },
    stop: async () => {
      await proxy.stop()
      for (const site of sites) await site.stop()
    },
  }
}

export const identityPath = (action: string) => `/identitytoolkit.googleapis.com/v1/accounts:${action}?key=any`
export const credentials = (name: string, password = 'a long secret') => ({
  email: `${name}@example.com`,
  password,
  returnSecureToken: true,
})

export function countBy(values: readonly (string | number)[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}
