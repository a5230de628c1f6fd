import { AUDIO_EXTENSIONS } from '../../../contract/audio-files.ts'
import { PROJECT_FILE_EXTENSION } from '../../engine/engine.ts'
import { saveFile } from '../../platform/save-file.ts'
import { describeProjectFailure } from './messages.ts'
import { isAudioOrNamedAudio } from './use-batch.ts'
import type { Engine, ProjectImportFailure, ProjectSummary, SoundFile } from './use-maker.ts'

/** The files that the file dialog of the maker offers: songs, and edits that were saved as files. */
export const ACCEPTED_FILE_TYPES = ['audio/*', ...AUDIO_EXTENSIONS, `.${PROJECT_FILE_EXTENSION}`].join()

const PORTABLE_FAILURE_TEXTS = {
  newer: 'A newer version of the maker has saved this edit. Please reload the page, then open it again.',
  incomplete: 'The end of this edit is missing. Please copy the file again.',
  invalid: 'This file holds no edit that the maker can open.',
  unreadable: 'This edit cannot be read: it was moved or deleted. Please choose it again.',
  'no-room':
    'The device has no room for this edit. Delete edits below, which frees their space after a minute, or free space on the device.',
  'no-storage': 'The browser gives this page no storage for edits, as in a private window.',
} as const satisfies Record<Exclude<ProjectImportFailure['kind'], 'other'>, string>

/** Downloads an edit as a file. Resolves with the file's name; `undefined` if the edit cannot be read. */
export async function saveEditAsFile(engine: Engine, { id }: ProjectSummary): Promise<string | undefined> {
  const file = await engine.projects.exportFile(id).catch(() => undefined)
  if (file) saveFile(file.name, file.blob)
  return file?.name
}

/** The edits that were added from files, the remaining files, and the message about edits that could not be opened. */
export interface AddedEdits {
  readonly editIds: readonly string[]
  readonly otherFiles: readonly SoundFile[]
  readonly problems: readonly string[]
}

/**
 * Adds the edits among `files` to the account's edits. The content of a file decides whether it is an edit; files that look like audio are
 * not read.
 */
export async function addEditFiles({ projects }: Engine, files: readonly SoundFile[]): Promise<AddedEdits> {
  const editIds: string[] = []
  const otherFiles: SoundFile[] = []
  const problemTexts: string[] = []
  for (const editFile of files) {
    // If the code that reads edits cannot be loaded, the file is opened as a song. The resulting error message lists the types of files
    // that can be opened.
    const openOutcome = isAudioOrNamedAudio({ name: editFile.name, type: editFile.blob.type })
      ? { kind: 'other' as const }
      : await projects.importFile(editFile.blob).catch(() => ({ kind: 'other' as const }))
    if (openOutcome.kind === 'added') editIds.push(openOutcome.id)
    else if (openOutcome.kind === 'other') otherFiles.push(editFile)
    else problemTexts.push(PORTABLE_FAILURE_TEXTS[openOutcome.kind])
  }
  return { editIds, otherFiles, problems: problemTexts }
}

/** Opens the last of the edits that were added. An edit whose song cannot be decoded is removed again. Resolves with the message. */
export async function openAddedEdits(
  engine: Engine,
  editIds: readonly string[],
): Promise<{ text: string | undefined; kind: 'good' | 'bad' }> {
  const lastEditId = editIds.at(-1) ?? ''
  const openOutcome = await engine.openProject(lastEditId)
  if (openOutcome?.kind === 'loaded')
    return {
      text: editIds.length === 1 ? 'Edit opened: it is one of your edits now.' : `${editIds.length} edits added to yours.`,
      kind: 'good',
    }
  if (openOutcome?.kind !== 'cancelled') void engine.projects.remove(lastEditId)
  return { text: describeProjectFailure(openOutcome), kind: 'bad' }
}
