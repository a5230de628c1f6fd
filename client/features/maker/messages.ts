import { useCallback, useRef } from 'react'
import { cutMiddle } from '../../ui/cut-middle.ts'
import { formatBytes } from '../../ui/format.ts'
import { useToast } from '../../ui/toast.tsx'
import { findFormatOption } from './formats.ts'
import { formatLevel } from './level-texts.ts'
import type { ExportFailure, ExportFormat, ExportSuccess, LoadFailure, OpenProject } from './use-maker.ts'

export const NO_AUDIO_TEXT = 'No Audio: Please load an audio file to play.'
/** The message if there is no audio device or a chunk of the preview could not be loaded. */
export const CANNOT_PLAY_TEXT = 'Playback Error: The sound could not be started. Please try again.'

/** The maximum number of exports that can wait. Each of them keeps its song in memory. */
export const MAX_WAITING_EXPORTS = 4
/** The message if a download is requested while the maximum number of exports waits. */
export const TOO_MANY_EXPORTS_TEXT = 'Cannot Download: Five files are being made already. Wait for one, or cancel one.'

export const describeWaitingExport = (songName: string) => `In line: ${cutMiddle(songName)} is made when the files before it are ready.`

export const INVALID_LINK_TEXT = 'This link holds settings that the maker cannot use.'

/** Returns the message about settings that came with a link. */
export const describeLinkedSettings = (presetName: string | undefined, hasSong: boolean) =>
  `Settings of the link: ${presetName === undefined ? 'they are set' : `${presetName} is set`}. ${hasSong ? '“Undo” brings yours back.' : 'Open a song to hear them.'}`

export const CANCELLED_TEXT = 'Download cancelled: no file was made.'

/** Returns the message about several files that were dropped at once. */
export const describeMultipleFiles = (name: string) => `One song at a time: only ${cutMiddle(name)} was opened.`

export const describeLoadedFile = (name: string) => `Audio Loaded: ${cutMiddle(name)} is ready for editing.`

/** Returns the message that a download cannot start, because no file is loaded yet. */
export const describeMissingSound = (soundPhase: 'empty' | 'loading') =>
  soundPhase === 'loading'
    ? 'Cannot Download: Please load an audio file first.'
    : 'No Audio Loaded: Please upload an audio file before downloading.'

/** Returns the message about a failed load; `undefined` if the person cancelled it. */
export function describeLoadFailure(failure: LoadFailure): string | undefined {
  switch (failure.kind) {
    case 'invalid-type':
      return 'Invalid File Type: Please upload MP3, WAV, OGG, M4A, AAC or FLAC files.'
    case 'undecodable':
      return 'Audio Load Error: Could not load or decode the audio file. Please try a different file.'
    case 'unsupported-codec':
      return failure.isConvertible
        ? 'Audio Load Error: This browser cannot decode the codec of this file. “Convert on the server” below can, up to 10 MB.'
        : 'Audio Load Error: This browser cannot decode the codec of this file. Please convert it to FLAC with another program.'
    case 'unreadable':
      return 'Audio Load Error: This is a folder, or the file is no longer there. Please open the song itself.'
    case 'incomplete':
      return 'Audio Load Error: The end of this file is missing. Please download or copy it again.'
    case 'protected':
      return 'Audio Load Error: This file is protected against copying, so it cannot be opened here.'
    case 'no-sound':
      return 'Audio Load Error: This file holds no sound.'
    case 'too-large':
      return `Audio Load Error: This file is too large for this device. It needs ${formatBytes(failure.neededBytes)}, and ${formatBytes(failure.availableBytes)} are free.`
    case 'cancelled':
      return undefined
  }
}

/** Returns the message about an edit that could not be opened; `undefined` if the person cancelled it. */
export const describeProjectFailure = (failure: LoadFailure | undefined): string | undefined =>
  failure === undefined ? 'This edit could not be read from the device.' : describeLoadFailure(failure)

/** The messages that are shown while changes are not saved, by the cause. */
export const SAVE_PROBLEM_TEXTS = {
  'no-room':
    'This edit is not saved: the device has no room left. Delete edits below, which frees their space after a minute, or free space on the device.',
  'no-storage': 'This edit is not saved: the browser gives this page no storage, as in a private window.',
} as const satisfies Record<NonNullable<OpenProject['saveProblem']>, string>

export const EDIT_IN_USE_TEXT = 'This edit is open in another tab, or the device has no room. Nothing was changed.'

/** The time in milliseconds for which a deletion can be undone. */
export const UNDO_OFFERED_MS = 15_000

export const describeStartedDownload = ({ fileName }: ExportSuccess, format: ExportFormat | 'video') =>
  `Download Started: ${cutMiddle(fileName)} downloading as ${format === 'video' ? format : findFormatOption(format).fileType}.`

export const describeSavedFile = ({ fileName, bytes }: ExportSuccess) => `Saved: ${cutMiddle(fileName)}, ${formatBytes(bytes)}.`

/** Returns the note about a changed level; `undefined` if the level was not changed. */
export function describeLevelChange({ loweredDb, level }: ExportSuccess): string | undefined {
  if (level !== undefined) return `Level: ${formatLevel(level)}.`
  return loweredDb < 0.05 ? undefined : `Lowered by ${loweredDb.toFixed(1)}\u00a0dB, so that nothing clips.`
}

const NO_LENGTH_MESSAGE = 'Processing Error: Cannot process audio with zero, negative, or invalid duration. Check speed/pitch settings.'

/** Returns the message about a failed export; `undefined` if the person cancelled it. */
export function describeExportFailure(failure: ExportFailure): string | undefined {
  switch (failure.kind) {
    case 'no-sound':
      return describeMissingSound('empty')
    case 'no-length':
      return NO_LENGTH_MESSAGE
    case 'too-large':
      return 'Download Error: The result is over 4 GiB, more than a WAV file holds. Choose FLAC or MP3, or a higher speed.'
    case 'no-room':
      return 'Download Error: This device has no room left for the result.'
    case 'closed':
      return 'Download Error: You signed out before the file was ready.'
    case 'failed':
      return `Download Error: ${failure.reason}`
    case 'cancelled':
      return undefined
  }
}

/** Shows a message; does nothing without a text. */
type ShowMessage = (text: string | undefined, kind: 'good' | 'bad') => void

/**
 * Returns a function to call at the start of an action. That function returns the one that shows the messages of this action as toasts. The first
 * message of an action removes those of
 * earlier actions, which it may contradict.
 */
export function useMessages(): () => ShowMessage {
  const toast = useToast()
  const removeShownMessages = useRef<(() => void)[]>([])
  return useCallback(() => {
    let isFirstMessage = true
    return (messageText, messageKind) => {
      if (messageText === undefined) return
      if (isFirstMessage) for (const remove of removeShownMessages.current.splice(0)) remove()
      isFirstMessage = false
      removeShownMessages.current.push(toast({ text: messageText, kind: messageKind }))
    }
  }, [toast])
}
