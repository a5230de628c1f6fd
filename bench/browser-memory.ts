import { readdir, readFile } from 'node:fs/promises'
import type { BrowserContext } from '@playwright/test'

const POLL_MS = 200

const readNumber = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0)

/** Returns the memory in MB of a process and all that it has started, without file mappings. */
export async function readMemoryMb(rootPid: number): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const statuses = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')))
  const parents = new Map(pids.map((pid, index) => [pid, readNumber(statuses[index] ?? '', /^PPid:\s+(\d+)/m)]))
  const isOfBrowser = (pid: number): boolean => pid === rootPid || (pid > 1 && isOfBrowser(parents.get(pid) ?? 0))
  let kilobytes = 0
  pids.forEach((pid, index) => {
    const status = statuses[index] ?? ''
    if (isOfBrowser(pid)) kilobytes += readNumber(status, /^RssAnon:\s+(\d+)/m) + readNumber(status, /^RssShmem:\s+(\d+)/m)
  })
  return (kilobytes * 1024) / 1e6
}

export async function readBrowserPid(context: BrowserContext): Promise<number> {
  const session = await context.browser()?.newBrowserCDPSession()
  if (session === undefined) throw new Error('the context has no browser')
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const pid = processInfo.find(({ type }) => type === 'browser')?.id
  if (pid === undefined) throw new Error('the browser does not report its process')
  return pid
}

/** Returns the peak of the browser's memory in MB during `run`. */
export async function measurePeakMb(pid: number, run: () => Promise<unknown>): Promise<number> {
  let peakMb = await readMemoryMb(pid)
  let isRunning = true
  const poll = async () => {
    while (isRunning) {
      peakMb = Math.max(peakMb, await readMemoryMb(pid))
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }
  const pollPromise = poll()
  try {
    await run()
  } finally {
    isRunning = false
    await pollPromise
  }
  return peakMb
}
