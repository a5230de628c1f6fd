import { afterEach, expect, test, vi } from 'vitest'
import { createScratchFile, openScratchFile, removeAbandonedScratchFiles } from './scratch.ts'

const openFolder = async () => (await navigator.storage.getDirectory()).getDirectoryHandle('maker-scratch', { create: true })

async function listFiles(): Promise<string[]> {
  const foundNames: string[] = []
  for await (const name of (await openFolder()).keys()) foundNames.push(name)
  return foundNames.sort()
}

afterEach(() => vi.restoreAllMocks())

test('scratch file: the file exists until it is disposed', async () => {
  const scratchFile = await createScratchFile()
  expect(await listFiles()).toEqual([scratchFile?.name])
  expect(await (await openScratchFile(scratchFile?.name ?? '')).isSameEntry(scratchFile?.handle ?? (await openScratchFile('')))).toBe(true)
  await scratchFile?.dispose()
  await scratchFile?.dispose()
  expect(await listFiles()).toEqual([])
})

test('removeAbandonedScratchFiles: only unlocked files are removed', async () => {
  const usedFile = await createScratchFile()
  await (await openFolder()).getFileHandle('file of a crashed page', { create: true })
  await removeAbandonedScratchFiles()
  expect(await listFiles()).toEqual([usedFile?.name])
  await usedFile?.dispose()
})

test('removeAbandonedScratchFiles: the scratch file of a page that was closed is removed', async () => {
  const scratchWorker = new Worker(new URL('./workers/testing/scratch-worker.ts', import.meta.url), { type: 'module' })
  const fileName = await new Promise<string>((resolve) => {
    scratchWorker.onmessage = ({ data }: MessageEvent<string>) => resolve(data)
  })
  await removeAbandonedScratchFiles()
  expect(await listFiles()).toEqual([fileName])
  scratchWorker.terminate()
  await expect
    .poll(async () => {
      await removeAbandonedScratchFiles()
      return listFiles()
    })
    .toEqual([])
})

test('createScratchFile: without a private file system the result is undefined', async () => {
  vi.spyOn(navigator.storage, 'getDirectory').mockRejectedValue(new DOMException('not here', 'SecurityError'))
  expect(await createScratchFile()).toBeUndefined()
  await removeAbandonedScratchFiles()
})
