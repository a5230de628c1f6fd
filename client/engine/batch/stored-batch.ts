import { BATCH_FOLDER } from '../engine.ts'

export const createFolderName = (ownerId: string) => `of-${ownerId}`

/** Whether an account has a batch on this device. */
export async function hasStoredBatch(ownerId: string): Promise<boolean> {
  try {
    const root = await navigator.storage.getDirectory()
    await (await root.getDirectoryHandle(BATCH_FOLDER)).getDirectoryHandle(createFolderName(ownerId))
    return true
  } catch {
    return false
  }
}
