/**
 * Writes a file of the origin private file system. Rejects with a `DOMException` as the file system does, for example with a `QuotaExceededError`. After
 * a failure or a crash, the file may be empty.
 */
export async function writeFile(folder: FileSystemDirectoryHandle, name: string, content: Blob | string): Promise<void> {
  const stream = await (await folder.getFileHandle(name, { create: true })).createWritable()
  try {
    await stream.write(content)
    await stream.close()
  } catch (error) {
    await stream.abort().catch(() => {})
    throw error
  }
}
