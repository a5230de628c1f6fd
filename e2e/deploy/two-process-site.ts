import { join } from 'node:path'
import { WEBHOOK_SECRET } from '../../server/payments/testing/signed-events.ts'
import { findFreePort, type Site, startSite } from '../server.ts'
import { readExampleSettings } from './example-files.ts'
import { type RunningProxy, startNginx } from './proxy-process.ts'
import { requestOverHttps } from './proxy-requests.ts'

export const HOST = 'example.org'
export const PROCESS_INDEXES = [0, 1] as const
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

/** The settings that may differ between the processes, and the ports at which nginx reaches the processes; by default, those on which they listen. */
export interface TwoProcessOptions {
  createEnv?: (index: number) => Record<string, string>
  choosePortForNginx?: (port: number) => Promise<number>
  /** How often the start of a process is tried that ends at once, as the service manager does (`Restart` in `deploy/varispeed.service`). */
  startAttemptCount?: number
}

/** The pause between two attempts, `RestartSec` of the service. */
const RESTART_PAUSE_MS = 2000

export async function startTwoProcessSite(
  folderPath: string,
  siteSettings: Record<string, string>,
  { createEnv = () => ({}), choosePortForNginx = async (port) => port, startAttemptCount: startAttempts = 1 }: TwoProcessOptions = {},
): Promise<TwoProcessSite> {
  const siteEnv = {
    ...(await readExampleSettings()),
    ...{ DATA_DIR: join(folderPath, 'data'), DEMO: 'on', STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET, MAIL_TO: 'team@example.org' },
    ...{ RATE_LIMIT_SIGNUP: '500', RATE_LIMIT_CONTACT: '500' },
    ...siteSettings,
  }
  const sitePorts = [await findFreePort(), await findFreePort()]
  async function startSiteAt(processIndex: number, attemptCount = startAttempts): Promise<Site> {
    try {
      return await startSite({ ...siteEnv, ...createEnv(processIndex), PORT: String(sitePorts[processIndex]) })
    } catch (error) {
      if (attemptCount <= 1) throw error
      await new Promise((resolve) => setTimeout(resolve, RESTART_PAUSE_MS))
      return startSiteAt(processIndex, attemptCount - 1)
    }
  }
  const sites: Site[] = []
  for (const index of PROCESS_INDEXES) sites.push(await startSiteAt(index))
  const nginxProxy = await startNginx(folderPath, await Promise.all(sitePorts.map(choosePortForNginx)))
  let endedLogs = ''
  return {
    ...{ sites, proxy: nginxProxy, env: siteEnv, dataDir: siteEnv.DATA_DIR },
    restart: async (processIndex, signal = 'SIGTERM', pauseMs = 0) => {
      const site = sites[processIndex]
      if (site !== undefined) {
        try {
          process.kill(site.pid, signal)
        } catch (cause) {
          throw new Error(`Process ${processIndex} has ended by itself:\n${site.readLog().slice(-LOG_SHOWN_LENGTH)}`, { cause })
        }
        await site.stop()
        endedLogs += site.readLog()
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      sites[processIndex] = await startSiteAt(processIndex)
    },
    readLogs: () => endedLogs + sites.map((site) => site.readLog()).join(''),
    call: async (urlPath, requestBody, token) => {
      const headers = { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) }
      const options = requestBody === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(requestBody) }
      const response = await requestOverHttps(nginxProxy, HOST, urlPath, options)
      return { status: response.status, body: JSON.parse(response.body) }
    },
    stop: async () => {
      await nginxProxy.stop()
      for (const site of sites) await site.stop()
    },
  }
}

export const createIdentityPath = (action: string) => `/identitytoolkit.googleapis.com/v1/accounts:${action}?key=any`
export const createCredentials = (personName: string, password = 'a long secret') => ({
  email: `${personName}@example.com`,
  password,
  returnSecureToken: true,
})

export function countOccurrences(countedValues: readonly (string | number)[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of countedValues) counts[value] = (counts[value] ?? 0) + 1
  return counts
}
