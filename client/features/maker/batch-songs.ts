import type { Batch, BatchInput } from '../../engine/engine.ts'
import type { DroppedItems } from '../../platform/dropped-items.ts'
import { chooseFolder, type FolderFile, readDroppedItems, readFolder, supportsFolderPicker } from '../../platform/folders.ts'
import { saveFile } from '../../platform/save-file.ts'
import { isAudioOrNamedAudio } from './use-batch.ts'

/** Whether the browser lets a person choose the folder that files are written to. */
export const canChooseFolder = (): boolean => supportsFolderPicker()

/** Songs among chosen or dropped files, in the order of their names, and the number of the other files. */
export interface PickedSongs {
  readonly songs: readonly BatchInput[]
  readonly nonAudioFileCount: number
}

const collator = new Intl.Collator('en', { numeric: true })

function pickSongs(files: readonly FolderFile[]): PickedSongs {
  // Names that begin with a dot are hidden files, among them the resource forks that macOS writes beside songs.
  const songs = files.filter(({ file }) => !file.name.startsWith('.') && isAudioOrNamedAudio(file))
  const sorted = songs.toSorted((a, b) => collator.compare(a.folderPath, b.folderPath) || collator.compare(a.file.name, b.file.name))
  return { songs: sorted, nonAudioFileCount: files.length - songs.length }
}

/** Returns the songs among the files of a file input. With `webkitdirectory`, files have a path. */
export const pickFromFiles = (files: readonly File[]): PickedSongs =>
  pickSongs(files.map((file) => ({ file, folderPath: file.webkitRelativePath.split('/').slice(1, -1).join('/') })))

export const pickFromDroppedItems = async (items: DroppedItems): Promise<PickedSongs> => pickSongs(await readDroppedItems(items))

/** Lets the person choose a folder of songs. Returns undefined if the person cancels. */
export async function chooseSongFolder(): Promise<PickedSongs | undefined> {
  const folder = await chooseFolder('songs', 'read')
  return folder && pickSongs(await readFolder(folder))
}

/** Lets the person choose the folder that files are written to. Returns undefined if the person cancels, or if the browser has no such picker. */
export const chooseOutputFolder = async (): Promise<FileSystemDirectoryHandle | undefined> =>
  supportsFolderPicker() ? chooseFolder('finished-songs', 'readwrite') : undefined

/** Starts the download of the ZIP file of a batch. Returns whether there was one. */
export async function saveZip(batch: Batch, zipName: string): Promise<boolean> {
  const zip = await batch.readZip()
  if (zip === undefined) return false
  saveFile(`${zipName}.zip`, zip)
  return true
}
