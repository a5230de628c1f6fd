/**
 * Writes a file of the origin private file system. Rejects with a `DOMException` as the file system does, for example with a `QuotaExceededError`. After
 * a failure or a crash, the file may be empty.
 */
export async function writeFile(folder: FileSystemDirectoryHandle, fileName: string, fileContent: Blob | string): Promise<void> {
  const fileStream = await (await folder.getFileHandle(fileName, { create: true })).createWritable()
  try {
    await fileStream.write(fileContent)
    await fileStream.close()
  } catch (error) {
    await fileStream.abort().catch(() => {})
    throw error
  }
}
