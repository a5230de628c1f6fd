import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type DownloadedFile, WAIT_LIMIT_MS } from './automated-page.ts'

const POLL_MS = 100

/** Repeats an action until it succeeds. @throws the last error if it still fails after WAIT_LIMIT_MS */
export async function retry<Result>(description: string, action: () => Promise<Result>): Promise<Result> {
  const deadlineMs = Date.now() + WAIT_LIMIT_MS
  for (;;) {
    try {
      return await action()
    } catch (error) {
      if (Date.now() > deadlineMs) throw new Error(`${description}: ${error instanceof Error ? error.message : error}`)
      await setTimeout(POLL_MS)
    }
  }
}

/** Runs `press`, and returns the audio file or the video that the browser then saves in its download folder. */
export async function waitForDownload(folderPath: string, press: () => Promise<void>): Promise<DownloadedFile> {
  const namesBefore = new Set(await readdir(folderPath))
  await press()
  return retry('a download', async () => {
    const name = (await readdir(folderPath)).find((each) => !namesBefore.has(each) && /\.(wav|mp3|mp4|webm)$/.test(each))
    if (name === undefined) throw new Error('No file')
    const bytes = await readFile(join(folderPath, name))
    await setTimeout(POLL_MS)
    if (bytes.length === 0 || (await stat(join(folderPath, name))).size !== bytes.length) throw new Error('The file is being written')
    return { name, bytes }
  })
}
