import { expect, it, onTestFinished } from 'vitest'
import { readFolderBytes, removeFolder } from './device-space.ts'

it('storage: the size of a folder includes the files of its inner folders; the size of a folder that does not exist is 0', async () => {
  const folderName = 'device-space-test'
  onTestFinished(() => removeFolder(folderName))
  const testFolder = await (await navigator.storage.getDirectory()).getDirectoryHandle(folderName, { create: true })
  for (const [parentFolder, bytes] of [
    [testFolder, 3],
    [await testFolder.getDirectoryHandle('inner', { create: true }), 5],
  ] as const) {
    const stream = await (await parentFolder.getFileHandle('file', { create: true })).createWritable()
    await stream.write(new Uint8Array(bytes))
    await stream.close()
  }
  expect(await readFolderBytes(folderName)).toBe(8)
  await removeFolder(folderName)
  expect(await readFolderBytes(folderName)).toBe(0)
})
