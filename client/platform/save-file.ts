import { createScope } from '../primitives/scope.ts'

/** The time in milliseconds after which the browser has certainly read the object URL of a download. */
const DOWNLOAD_STARTED_MS = 10_000

export function saveFile(fileName: string, fileContent: Blob): void {
  const scope = createScope()
  const linkElement = document.createElement('a')
  linkElement.href = scope.objectUrl(fileContent)
  linkElement.download = fileName
  linkElement.click()
  scope.timeout(scope.dispose, DOWNLOAD_STARTED_MS)
}

/** The File System Access API (https://wicg.github.io/file-system-access/), which TypeScript's DOM types lack. */
interface FilePicker {
  showSaveFilePicker(options: { suggestedName: string }): Promise<FileSystemFileHandle>
}

const filePicker = (): FilePicker | undefined => ('showSaveFilePicker' in globalThis ? (globalThis as unknown as FilePicker) : undefined)

/** Whether the browser lets a person choose the file to write to. */
export const supportsSaveFilePicker = (): boolean => filePicker() !== undefined

/**
 * Lets a person choose a file to write to. Requires a user gesture. Returns undefined if the person cancels. The file's previous content is
 * replaced when the stream is closed.
 */
export const chooseFile = (suggestedName: string): Promise<FileSystemWritableFileStream | undefined> =>
  undefinedIfCancelled(async () => (await filePicker()?.showSaveFilePicker({ suggestedName }))?.createWritable())

/** Lets a person choose a file, which a worker then writes. Requires a user gesture. Returns undefined if the person cancels. */
export const chooseFileHandle = (suggestedName: string): Promise<FileSystemFileHandle | undefined> =>
  undefinedIfCancelled(async () => filePicker()?.showSaveFilePicker({ suggestedName }))

export async function undefinedIfCancelled<T>(chooseFile: () => Promise<T>): Promise<T | undefined> {
  try {
    return await chooseFile()
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined
    throw error
  }
}
