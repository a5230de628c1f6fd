import { createCleanupScope } from '../primitives/scope.ts'

/** The time in milliseconds after which the browser has certainly read the object URL of a download. */
const OBJECT_URL_READ_AFTER_MS = 10_000

export function saveFile(fileName: string, fileContent: Blob): void {
  const scope = createCleanupScope()
  const linkElement = document.createElement('a')
  linkElement.href = scope.createObjectUrl(fileContent)
  linkElement.download = fileName
  linkElement.click()
  scope.timeout(scope.dispose, OBJECT_URL_READ_AFTER_MS)
}

/** The File System Access API (https://wicg.github.io/file-system-access/), which TypeScript's DOM types lack. */
interface FilePicker {
  showSaveFilePicker(options: { suggestedName: string }): Promise<FileSystemFileHandle>
}

const getFilePicker = (): FilePicker | undefined => ('showSaveFilePicker' in globalThis ? (globalThis as unknown as FilePicker) : undefined)

/** Whether the browser lets a person choose the file to write to. */
export const supportsSaveFilePicker = (): boolean => getFilePicker() !== undefined

/**
 * Lets a person choose a file to write to. Requires a user gesture. Returns undefined if the person cancels. The file's previous content is
 * replaced when the stream is closed.
 */
export const chooseFile = (suggestedName: string): Promise<FileSystemWritableFileStream | undefined> =>
  ignoreCancellation(async () => (await getFilePicker()?.showSaveFilePicker({ suggestedName }))?.createWritable())

/** Lets a person choose a file, which a worker then writes. Requires a user gesture. Returns undefined if the person cancels. */
export const chooseFileHandle = (suggestedName: string): Promise<FileSystemFileHandle | undefined> =>
  ignoreCancellation(async () => getFilePicker()?.showSaveFilePicker({ suggestedName }))

export async function ignoreCancellation<T>(chooseFile: () => Promise<T>): Promise<T | undefined> {
  try {
    return await chooseFile()
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined
    throw error
  }
}
