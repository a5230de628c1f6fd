/** Hands a file to the browser's downloads. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has taken it over by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** https://wicg.github.io/file-system-access/ : in no standard library yet. */
interface FilePicker {
  showSaveFilePicker(options: { suggestedName: string }): Promise<FileSystemFileHandle>
}

const picker = (): FilePicker | undefined => ('showSaveFilePicker' in globalThis ? (globalThis as unknown as FilePicker) : undefined)

/** Whether a person can choose the file that is written to. */
export const canSaveTo = (): boolean => picker() !== undefined

/** Lets a person choose a file, to be called from a press; undefined where they do not. What stood in it goes when the stream is closed. */
export async function chooseFile(suggestedName: string): Promise<FileSystemWritableFileStream | undefined> {
  try {
    return await (await picker()?.showSaveFilePicker({ suggestedName }))?.createWritable()
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined
    throw error
  }
}
