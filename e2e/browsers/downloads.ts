import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type DownloadedFile, WAIT_LIMIT_MS } from './automated-page.ts'

const POLL_MS = 100

/** Repeats an action until it succeeds. @throws the last error if it still fails after WAIT_LIMIT_MS */
export async function retryAction<Result>(actionDescription: string, attemptAction: () => Promise<Result>): Promise<Result> {
  const deadlineMs = Date.now() + WAIT_LIMIT_MS
  for (;;) {
    try {
      return await attemptAction()
    } catch (error) {
      if (Date.now() > deadlineMs) throw new Error(`${actionDescription}: ${error instanceof Error ? error.message : error}`)
      await setTimeout(POLL_MS)
    }
  }
}

/** Runs `pressButton`, and returns the audio file or the video that the browser then saves in its download folder. */
export async function waitForDownload(folderPath: string, pressButton: () => Promise<void>): Promise<DownloadedFile> {
  const fileNamesBefore = new Set(await readdir(folderPath))
  await pressButton()
  return retryAction('a download', async () => {
    const fileName = (await readdir(folderPath)).find((each) => !fileNamesBefore.has(each) && /\.(wav|mp3|mp4|webm)$/.test(each))
    if (fileName === undefined) throw new Error('No file')
    const fileBytes = await readFile(join(folderPath, fileName))
    await setTimeout(POLL_MS)
    if (fileBytes.length === 0 || (await stat(join(folderPath, fileName))).size !== fileBytes.length)
      throw new Error('The file is being written')
    return { name: fileName, bytes: fileBytes }
  })
}
