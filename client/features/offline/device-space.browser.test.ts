import { expect, it, onTestFinished } from 'vitest'
import { readFolderBytes, removeFolder } from './device-space.ts'

it('storage: the size of a folder includes the files of its inner folders; the size of a folder that does not exist is 0', async () => {
  const name = 'device-space-test'
  onTestFinished(() => removeFolder(name))
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle(name, { create: true })
  for (const [parent, bytes] of [
    [folder, 3],
    [await folder.getDirectoryHandle('inner', { create: true }), 5],
  ] as const) {
    const stream = await (await parent.getFileHandle('file', { create: true })).createWritable()
    await stream.write(new Uint8Array(bytes))
    await stream.close()
  }
  expect(await readFolderBytes(name)).toBe(8)
  await removeFolder(name)
  expect(await readFolderBytes(name)).toBe(0)
})
