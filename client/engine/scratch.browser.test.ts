import { afterEach, expect, test, vi } from 'vitest'
import { createScratch, openScratch, sweepScratch } from './scratch.ts'

const folder = async () => (await navigator.storage.getDirectory()).getDirectoryHandle('maker-scratch', { create: true })

async function names(): Promise<string[]> {
  const found: string[] = []
  for await (const name of (await folder()).keys()) found.push(name)
  return found.sort()
}

afterEach(() => vi.restoreAllMocks())

test('a file is there until it is disposed of', async () => {
  const scratch = await createScratch()
  expect(await names()).toEqual([scratch?.name])
  expect(await (await openScratch(scratch?.name ?? '')).isSameEntry(scratch?.handle ?? (await openScratch('')))).toBe(true)
  await scratch?.dispose()
  await scratch?.dispose()
  expect(await names()).toEqual([])
})

test('what nobody uses is swept, what is used is not', async () => {
  const used = await createScratch()
  await (await folder()).getFileHandle('left by a crash', { create: true })
  await sweepScratch()
  expect(await names()).toEqual([used?.name])
  await used?.dispose()
})

test('what a page made is swept when that is closed', async () => {
  const worker = new Worker(new URL('./testing/scratch-worker.ts', import.meta.url), { type: 'module' })
  const name = await new Promise<string>((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<string>) => resolve(data)
  })
  await sweepScratch()
  expect(await names()).toEqual([name])
  worker.terminate()
  await expect
    .poll(async () => {
      await sweepScratch()
      return names()
    })
    .toEqual([])
})

test('a browser without files gives none', async () => {
  vi.spyOn(navigator.storage, 'getDirectory').mockRejectedValue(new DOMException('not here', 'SecurityError'))
  expect(await createScratch()).toBeUndefined()
  await sweepScratch()
})
