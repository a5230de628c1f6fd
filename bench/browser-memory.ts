import { readdir, readFile } from 'node:fs/promises'
import type { BrowserContext } from '@playwright/test'

const MEMORY_POLL_INTERVAL_MS = 200

const readNumber = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0)

/** Returns the memory in MB of a process and all that it has started, without file mappings. */
export async function readMemoryMb(rootPid: number): Promise<number> {
  const processIds = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const statusTexts = await Promise.all(processIds.map((browserPid) => readFile(`/proc/${browserPid}/status`, 'utf8').catch(() => '')))
  const parentByPid = new Map(processIds.map((browserPid, index) => [browserPid, readNumber(statusTexts[index] ?? '', /^PPid:\s+(\d+)/m)]))
  const isInBrowserTree = (browserPid: number): boolean =>
    browserPid === rootPid || (browserPid > 1 && isInBrowserTree(parentByPid.get(browserPid) ?? 0))
  let processTreeKilobytes = 0
  processIds.forEach((browserPid, index) => {
    const status = statusTexts[index] ?? ''
    if (isInBrowserTree(browserPid))
      processTreeKilobytes += readNumber(status, /^RssAnon:\s+(\d+)/m) + readNumber(status, /^RssShmem:\s+(\d+)/m)
  })
  return (processTreeKilobytes * 1024) / 1e6
}

export async function readBrowserPid(context: BrowserContext): Promise<number> {
  const session = await context.browser()?.newBrowserCDPSession()
  if (session === undefined) throw new Error('the context has no browser')
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const browserPid = processInfo.find(({ type }) => type === 'browser')?.id
  if (browserPid === undefined) throw new Error('the browser does not report its process')
  return browserPid
}

/** Returns the peak of the browser's memory in MB during `run`. */
export async function measurePeakMb(browserPid: number, run: () => Promise<unknown>): Promise<number> {
  let peakMb = await readMemoryMb(browserPid)
  let isRunning = true
  const pollPeakMemory = async () => {
    while (isRunning) {
      peakMb = Math.max(peakMb, await readMemoryMb(browserPid))
      await new Promise((resolve) => setTimeout(resolve, MEMORY_POLL_INTERVAL_MS))
    }
  }
  const pollPromise = pollPeakMemory()
  try {
    await run()
  } finally {
    isRunning = false
    await pollPromise
  }
  return peakMb
}
